"""Start, pause, one epoch, start over: the buttons of a training, and how far it is."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from sslviz.recordings.clustering import TrainingRecording
from sslviz.ui.clustering.result import start_over


def buttons(training: TrainingRecording, name: str, epochs: int) -> None:
    """A press takes effect after the slice under way; what is learnt stays."""
    done = training.done(epochs)
    with st.container(horizontal=True, vertical_alignment="center"):
        if training.running:
            _button("Pause", "pause", training.pause)
        else:
            word = "Start" if training.iteration == 0 else "Go on"
            _button(word, "play_arrow", training.go, disabled=done, type="primary")
        stop = done or training.running
        _button("One epoch", "skip_next", training.go, training.following, disabled=stop)
        _button("Start over", "replay", start_over, name, disabled=training.iteration == 0)
        st.caption(_show_(training, epochs, done))


def _show_(training: TrainingRecording, epochs: int, done: bool) -> str:
    at, total = training.iteration, training.total(epochs)
    if training.running:
        return "Pause stops within a moment and keeps what is learnt."
    if at == 0 and training.then is not None:
        return f"Nothing learnt yet: {total:,} iterations of the autoencoder, then as many more."
    if at == 0:
        return f"Nothing learnt yet: {total:,} iterations to go."
    if done and at < total:
        return f"At rest after {at:,} iterations: hardly a label changes any more."
    if done:
        return f"All {at:,} iterations are done. Raise the epochs to go on."
    if training.then is not None:
        return f"Stopped at iteration {at:,} of {total:,} of the autoencoder: no clusters yet."
    return f"Stopped at iteration {at:,} of {total:,}: the pictures show what it has learnt."


def _button(word: str, icon: str, act: Callable[..., None], *args: object, **look: Any) -> None:
    st.button(
        word,
        key=f"open.clusters.{icon}",
        icon=f":material/{icon}:",
        on_click=act,
        args=args,
        **look,
    )
