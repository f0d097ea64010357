"""sslviz: see semi-supervised learning happen. Frame: sslviz/ui/app.py; pages: pages/."""

import streamlit as st

from sslviz.ui import app as frame
from sslviz.ui.state import old_links, streamlit_internals

streamlit_internals.ignore_unreadable_values()
streamlit_internals.forget_callbacks_of_removed_buttons()
if streamlit_internals.is_script_running():
    frame.run()
else:  # the server imports this file once, before the first visit
    streamlit_internals.ignore_pages_folder()
    frame.prepare_server()
    app = st.App(__file__, routes=old_links.routes())
