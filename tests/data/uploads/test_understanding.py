"""What a table means: labels, features, texts, missing values, and corrections by hand."""

import numpy as np
import pytest
from own_files import letters_csv, wine_csv, wine_unlabelled_csv

from sslviz import data
from sslviz.data import uploads
from sslviz.data.uploads import Choices


def understood(text: str | bytes, **choices: object) -> tuple[uploads.Understanding, data.Dataset]:
    content = text.encode() if isinstance(text, str) else text
    asked = Choices(**choices)
    raw = uploads.read(content, "a.csv", asked.format)
    meaning = uploads.understand(raw, asked)
    return meaning, uploads.dataset_of(raw, meaning, "own")


def table(labels: list[str], header: str = "x,z,class") -> str:
    rng = np.random.default_rng(0)
    rows = [
        f"{a:.3f},{b:.3f},{c}"
        for (a, b), c in zip(rng.random((len(labels), 2)), labels, strict=True)
    ]
    return "\n".join([header, *rows])


@pytest.mark.parametrize("word", ["", "?", "NA", "unknown", "-", "unlabelled"])
def test_words_for_no_label_are_known(word):
    meaning, d = understood(table(["a", "b", word] * 4))
    assert d.n_samples == 12 and d.known.sum() == 8 and d.classes == ("a", "b")
    assert meaning.unlabelled == (word,) and "8 of 12 points are labelled" in d.about


def test_minus_one_is_no_label_beside_two_classes_and_a_class_beside_one():
    assert understood(table(["0", "1", "-1"] * 4))[1].known.sum() == 8
    assert understood(table(["cat", "dog", "-1"] * 4))[1].classes == ("cat", "dog")
    _, d = understood(table(["1", "-1"] * 4))
    assert d.known.all() and d.classes == ("-1", "1")


def test_which_values_mean_no_label_can_be_corrected():
    _, d = understood(table(["a", "b", "none"] * 4), unlabelled=())
    assert d.classes == ("a", "b", "none") and d.known.all()
    _, d = understood(table(["a", "b", "c"] * 4), unlabelled=("c",))
    assert d.classes == ("a", "b") and d.known.sum() == 8


def test_the_label_column_is_found_by_name_place_or_type():
    assert understood("class,x,z\na,1.5,2\nb,2.5,1\na,3,4\nb,1,7\n")[0].label == "class"
    assert understood("kind,x,z\na,1.5,2.5\nb,2.5,1\na,3,4\nb,1,7\n")[0].label == "kind"
    meaning, d = understood(b"x,y,class\n1.5,2.5,a\n2,3.5,b\n3,4.5,a\n")
    assert meaning.label == "class" and d.features == ("x", "y")


def test_numbers_with_fractions_are_no_classes():
    rows = "\n".join(f"{i * 0.37},{i % 50}.5" for i in range(200))
    meaning, d = understood("a,b\n" + rows)
    assert meaning.label is None and d.n_features == 2 and not d.known.any()


def test_a_table_without_labels_opens_with_classes_to_name():
    _, d = understood(wine_unlabelled_csv())
    assert d.X.shape == (178, 13) and not d.known.any() and d.classes == ("class 1", "class 2")
    _, d = understood(wine_unlabelled_csv(), classes=("red", "white", "rosé"))
    assert d.classes == ("red", "white", "rosé")


def test_labels_can_be_ignored_and_columns_chosen():
    meaning, d = understood(wine_csv(), label=None, columns=("feature 3", "feature 1"))
    assert not d.known.any() and d.features == ("feature 1", "feature 3")
    assert np.array_equal(d.X, data.load("wine").X[:, [1, 3]])
    assert "class" in meaning.left_out


def test_row_numbers_constants_and_texts_are_left_out_and_said():
    rows = [f"{i},{'ab'[i % 2]}{i},{i * i},5,{'uv'[i % 2]}" for i in range(12)]
    meaning, d = understood("id,name,x,const,class\n" + "\n".join(rows))
    assert d.features == ("x",) and d.classes == ("u", "v")
    assert meaning.left_out == {"id": "row number", "name": "text", "const": "constant"}
    assert d.notes is not None and d.notes[3] == "id: 3 · name: b3"
    assert all(part in d.about for part in ("Not used (text): name", "constant", "row numbers"))


def test_missing_values_become_the_median_or_cost_their_rows():
    content, wine = wine_csv(missing=0.05), data.load("wine")
    meaning, d = understood(content)
    gaps = np.array(
        [[cell == "" for cell in row.split(",")[:-1]] for row in content.decode().split("\n")[1:-1]]
    )
    assert np.array_equal(d.X[~gaps], wine.X[~gaps])
    assert d.n_samples == 178 and 0.03 < gaps.mean() < 0.07
    j = int(gaps.sum(axis=0).argmax())
    assert np.allclose(d.X[gaps[:, j], j], np.median(wine.X[~gaps[:, j], j]))
    assert f"{gaps.sum()} missing values in {gaps.any(axis=1).sum()} rows" in d.about
    meaning, dropped = understood(content, missing="drop")
    assert np.array_equal(dropped.X, wine.X[~meaning.missing_rows])
    assert np.array_equal(dropped.rows, np.flatnonzero(~meaning.missing_rows))


def test_numbers_beyond_all_scales_count_as_missing():
    _, d = understood("x,z,class\n1e308,1,a\n2,1e-320,b\n3,3,a\n4,4,b\n")
    assert d.X[0, 0] == 3 and d.X[1, 1] == 0 and "1 number beyond" in d.about


def test_large_whole_numbers_stay_different_classes():
    _, d = understood("x,z,class\n1,3,1e300\n2,1,2e300\n5,3,1e300\n4,4,2e300\n", label="class")
    assert d.classes == ("1e+300", "2e+300") and d.y.tolist() == [0, 1, 0, 1]


def test_one_class_only_leaves_a_second_to_be_labelled_by_hand():
    _, d = understood(table(["a"] * 5), label="class")
    assert d.classes == ("a", "class 1") and set(d.y) == {0}


@pytest.mark.parametrize(
    ("content", "choices", "message"),
    [
        ("x,class\nleft,a\nright,b\n", {}, "no column except the labels holds numbers"),
        ("x,z\n1,2\n3,5\n", {"label": "w"}, "no column 'w' of labels; there are x, z"),
        ("x,z\n1,2\n3,5\n", {"columns": ["w"]}, "none of the chosen columns"),
        ("x,z\n1.5,\n3,5\n,7\n5,\n", {"missing": "drop"}, "fewer than two rows are complete"),
        ("x,z\n1.5,2\n3,5\n", {"missing": "mean"}, "missing='mean'"),
        ("x,z\n" + "\n".join(f"{i},{i}.5" for i in range(150)), {"label": "z"}, "150 different"),
    ],
)
def test_what_cannot_be_understood_is_a_sentence(content, choices, message):
    with pytest.raises(ValueError, match=message):
        understood(content, **choices)


def test_the_source_reads_the_same_data_set_again(tmp_path):
    (tmp_path / "wine.csv").write_bytes(wine_csv(kept=0.3, missing=0.05))
    choices = Choices(missing="drop", columns=("feature 0", "feature 12"), unlabelled=("",))
    source = uploads.source_of("wine.csv", choices)
    read = eval(
        f"data.read_table({source})".replace("'wine.csv'", repr(str(tmp_path / "wine.csv")))
    )
    _, d = understood(wine_csv(kept=0.3, missing=0.05), **choices.arguments())
    assert np.array_equal(read.X, d.X) and np.array_equal(read.y, d.y) and read.name == "wine"


def test_read_table_has_the_options_of_all_real_sets(tmp_path):
    (tmp_path / "wine.csv").write_bytes(wine_csv())
    d = data.read_table(tmp_path / "wine.csv", n_samples=90, standardise=True)
    assert np.array_equal(d.X, data.load("wine", n_samples=90, standardise=True).X)
    with pytest.raises(ValueError, match="no option"):
        data.read_table(tmp_path / "wine.csv", lable="class")


def test_words_of_running_texts_are_features_where_there_are_no_numbers():
    from sklearn.feature_extraction.text import TfidfVectorizer

    meaning, d = understood(letters_csv())
    assert meaning.words == ("letter",) and meaning.hover == ("date", "letter")
    assert "The words of letter are features: TF-IDF" in d.about and d.known.sum() == 40
    texts = [line.split('"')[1] for line in letters_csv().decode().splitlines()[1:]]
    weights = TfidfVectorizer().fit_transform(texts).toarray()
    u, s, _ = np.linalg.svd(weights, full_matrices=False)
    Z = (u * s)[:, : d.n_features]
    Z /= np.linalg.norm(Z, axis=1, keepdims=True)
    np.testing.assert_allclose(d.X @ d.X.T, Z @ Z.T, atol=1e-8)
    assert d.n_features == weights.shape[1] - 1 and d.features[0] == "letter 1"


def test_words_can_be_chosen_beside_numbers_and_left_out():
    lines = letters_csv().decode().splitlines()
    table = "\n".join(f"{'n' if i == 0 else i * i / 7},{line}" for i, line in enumerate(lines))
    meaning, d = understood(table)
    assert meaning.features == ("n",) and meaning.words == () and d.n_features == 1
    _, d = understood(table, words=("letter",))
    assert d.features[:2] == ("n", "letter 1") and d.n_features > 10
    assert uploads.choices_of(uploads.source_of("a.csv", Choices(words=["b"]))).words == ("b",)
    with pytest.raises(ValueError, match="no column except the labels holds numbers"):
        understood(letters_csv(), words=())
    with pytest.raises(ValueError, match="texts hold no words"):
        understood("text,class\n" + "\n".join(f". {'- ' * i},{'ab'[i % 2]}" for i in range(9)))
