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
    assert app.session_state["next_label.point"] is not None, "it is ringed"
    app.session_state["open.lab.part"] = "Files"
    app.run()
    assert app.selectbox(key="next_label").value == "largest hub", "also beside another part"
    app.button(key="open.next.show").click().run()
    assert fine(app) and app.session_state["clicked.point"] is not None


def test_hidden_truth_is_told_neither_by_an_accuracy_nor_at_a_wrong_label():
    app = opened("propagation", data="iris", truth_hidden="true", hand="106.0", point="106")
    assert fine(app) and numbers(app)["Accuracy"] == "hidden"
    assert not any("True class virginica" in c.value for c in app.caption)


def test_hidden_truth_is_not_told_by_clusters_and_does_not_stop_cross_validation():
    app = opened("clustering", data="iris", truth_hidden="true", cluster_method="k-means")
    assert fine(app) and numbers(app)["Accuracy"] == "unknown"
    app = opened("hubs", data="iris", truth_hidden="true", **{"hubs.grid": "true"})
    assert fine(app) and any("Cross-validation chooses" in m.value for m in app.markdown)
    assert not any("accuracy is shown" in m.value for m in app.markdown)


def test_classes_are_called_and_coloured_as_one_likes():
    app = opened("propagation", data="iris", classes="1:112233:<b>rose</b>", point="60")
    key = "open.label.60.-1"
    assert fine(app) and "<b>rose</b>" in app.selectbox(key=key).options, "options are plain text"
    assert any("&#60;b&#62;rose" in c.value for c in app.sidebar.caption), "Markdown is not"
    app.session_state["open.lab.part"] = "Classes"
    app.run()
    app.text_input(key="open.class.name.0.setosa").set_value("tulip").run()
    app.selectbox(key="open.class.colour.0.#0072B2").set_value("#D55E00").run()
    said = app.query_params["classes"]
    assert fine(app) and said in ("0:D55E00:tulip|1:112233:<b>rose</b>", [said[0]])
    assert app.session_state["class_styles.colours"] == {0: "#D55E00", 1: "#112233"}
    app.button(key="open.class.reset").click().run()
    assert fine(app) and "classes" not in app.query_params
    assert "setosa" in app.selectbox(key=key).options


def test_accuracy_grows_with_the_labels_beside_random_ones():
    app = opened("propagation", data="iris", hand="101.2_70.1")
    app.session_state["open.lab.part"] = "Curve"
    app.run()
    said = " ".join(c.value for c in app.sidebar.caption)
    assert fine(app) and "Label propagation with 11 labels: " in said
    app.toggle(key="truth_hidden").set_value(True).run()
    said = " ".join(c.value for c in app.sidebar.caption)
    assert fine(app) and "The true classes are hidden, so there is no accuracy" in said


def test_a_group_has_neighbours_to_look_at_and_to_save():
    app = opened("propagation", data="iris")
    app.session_state["clicked.group"] = (1, 2)
    app.run()
    (which,) = (b for b in app.segmented_control if str(b.key).startswith("open.group.points"))
    members, neighbours = which.options
    count = int(neighbours.split("(")[1][:-1])
    assert members == "members (2)" and 10 <= count <= 20
    which.set_value(neighbours).run()
    assert fine(app) and len(app.dataframe[0].value) == count
    app.button(key="open.group.grow").click().run()
    assert fine(app) and len(app.session_state["clicked.group"]) == count + 2
