"""Home opens alive, and every page can be reached from it."""

import numpy as np
from pages.opening import fine, opened

from sslviz.ui.home import load_recording, record_home
from sslviz.ui.page_list import PAGES


def test_the_recording_is_what_label_propagation_computes_today():
    for kept, computed in zip(load_recording(), record_home(), strict=True):
        assert kept.dtype == computed.dtype
        np.testing.assert_allclose(kept.astype(float), computed.astype(float), atol=1)


def test_the_picture_shows_that_two_labels_go_far():
    recording = load_recording()
    assert (recording.y >= 0).sum() == 2 and recording.accuracy > 0.98


def test_home_has_the_picture_and_a_link_to_every_page():
    app = opened("home")
    assert fine(app)
    links = {link.proto.page for link in app.get("page_link")}
    links |= {"stories"} if app.button(key="open.story.tour") else set()
    assert links >= {page.name for page in PAGES} - {"home"}
