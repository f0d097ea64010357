"""The label lab: a selected group gets a label, the next point its reason, the truth is hidden."""

from pages.opening import fine, numbers, opened


def test_a_group_is_labelled_at_once():
    app = opened("propagation", data="iris")
    before = numbers(app)["Labels given"]
    app.session_state["clicked.group"] = (1, 2, 60, 999)
    app.run()
    assert any("3 points selected" in m.value for m in app.markdown)
    choice = app.selectbox(key="open.group.label")
    choice.set_value(choice.options[2]).run()
    app.button(key="open.group.set").click().run()
    held = next(iter(app.session_state["by_hand.held"].values()))
    assert fine(app) and held == {1: 1, 2: 1, 60: 1} and numbers(app)["Labels given"] != before


def test_the_next_point_comes_with_its_reason():
    app = opened("propagation", data="iris")
    app.selectbox(key="next_label").set_value("largest hub").run()
    assert fine(app) and any("largest hub without a label" in m.value for m in app.markdown)
    app.button(key="open.next.show").click().run()
    assert fine(app) and app.session_state["clicked.point"] is not None


def test_without_the_truth_there_is_no_accuracy():
    app = opened("propagation", data="iris", truth_hidden="true")
    assert fine(app) and "%" not in numbers(app)["Accuracy"]
