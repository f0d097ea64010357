"""sslviz: see semi-supervised learning happen. Frame: sslviz/ui/shell.py; pages: pages/."""

from sslviz.ui import shell

shell.run()
