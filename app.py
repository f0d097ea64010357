"""sslviz: see semi-supervised learning happen. Frame: sslviz/ui/app.py; pages: pages/."""

from sslviz.ui import app

app.run()
