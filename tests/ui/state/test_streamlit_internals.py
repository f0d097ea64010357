"""One file reaches into Streamlit's internals, and does no harm where no script is running."""

import ast
import gc
from pathlib import Path

import pytest
from streamlit.proto.Common_pb2 import DoubleArray
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import Serialized, WStates
from streamlit.testing.v1 import AppTest

from sslviz.ui.state import streamlit_internals

ROOT = Path(__file__).parents[3]
INTERNAL = ("streamlit.runtime", "streamlit.navigation", "streamlit.web", "streamlit.components.v1")
ALLOWED = {"sslviz/ui/state/streamlit_internals.py"}


def imports(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names}
    return names | {n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)}


def test_no_other_file_imports_them():
    files = [ROOT / "app.py", *(ROOT / "sslviz").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    users = {f.relative_to(ROOT).as_posix() for f in files if any(map(is_internal, imports(f)))}
    assert users <= ALLOWED


def is_internal(module: str) -> bool:
    return module.startswith(INTERNAL)


def test_without_a_script_nothing_happens():
    assert not streamlit_internals.is_script_running()
    assert not streamlit_internals.came_by_history()
    streamlit_internals.replace_query({"data": ["iris"]})
    assert streamlit_internals.base_path() == ""


def test_what_is_drawn_together_is_sent_at_the_end_and_in_order():
    def script() -> None:
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        from sslviz.ui.state.streamlit_internals import sending_together

        ctx, sent = get_script_run_ctx(), []
        send = ctx._enqueue
        ctx._enqueue = lambda message: (sent.append(message), send(message))
        with sending_together():
            st.write("first")
            st.write("second")
            st.session_state["meanwhile"] = len(sent)
        ctx._enqueue = send
        st.session_state["finally"] = len(sent)

    app = AppTest.from_function(script).run(timeout=30)
    assert (app.session_state["meanwhile"], app.session_state["finally"]) == (0, 2)
    assert [text.value for text in app.markdown] == ["first", "second"]


def test_a_value_that_its_widget_cannot_read_counts_as_none():
    """A forged message, true as the value of a slider, must not end the session."""
    streamlit_internals.ignore_unreadable_values()
    metadata = WidgetMetadata(
        id="k",
        deserializer=lambda value: list(value or [5.0]),
        serializer=list,
        value_type="double_array_value",
    )
    states = WStates(widget_metadata={"k": metadata})
    states.states["k"] = Serialized(WidgetState(id="k", bool_value=True))
    assert states["k"] == [5.0], "its default"
    states.states["k"] = Serialized(WidgetState(id="k", double_array_value=DoubleArray(data=[2.0])))
    assert states["k"] is not None and "k" in states.states
    with pytest.raises(KeyError):
        states["another"]


def page_of_a_button_that_changes() -> None:
    import weakref

    import streamlit as st

    class Run:
        def pause(self) -> None:
            st.session_state.paused = True

    run = Run()
    st.session_state.number = number = st.session_state.get("number", 0) + 1
    st.session_state.setdefault("runs", []).append(weakref.ref(run))
    st.button("Stop", key=f"stop{number}", on_click=run.pause)


def test_a_button_that_is_gone_holds_nothing_any_more():
    streamlit_internals.forget_callbacks_of_removed_buttons()
    app = AppTest.from_function(page_of_a_button_that_changes).run()
    app = app.button(key="stop1").click().run().run()
    assert app.session_state["paused"], "the callback of a button that is there is called"
    gc.collect()
    assert [run() is None for run in app.session_state["runs"][:2]] == [True, True]
