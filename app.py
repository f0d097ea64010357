"""sslviz: see semi-supervised learning happen. The frame is in sslviz/ui/shell.py, pages in pages/."""

from sslviz.ui import shell

shell.run()
