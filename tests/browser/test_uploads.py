"""A visitor's file from its upload to a picture, its predictions and its code.

Each file goes through the preview; the accuracy on the page is that of a fit without our readers,
and what the page exports is what the copied code predicts.
"""

import csv
import io
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from urllib.parse import quote

import numpy as np
import own_files
import pytest
from browser.actions import plot, ready, settle, turn_to
from own_file_references import reference_accuracy
from own_files import npz_of

from sslviz import data
from sslviz.ui.data.own_sets import OWN_FILE

INPUT = "[data-testid=stFileUploaderDropzoneInput]"
MAP = "propagation_map"
# What is uploaded, and what the preview says.
FILES = {
    "wine_few_labels.csv": (lambda: own_files.wine_csv(kept=0.1), "19 of 178 points are"),
    "wine_missing.csv": (lambda: own_files.wine_csv(missing=0.05), "missing values in 89 rows"),
    "wein.csv": (own_files.german_csv, "semicolon between cells and decimal comma"),
    "wine.parquet": (own_files.wine_parquet, "178 rows and 14 columns"),
    "book.mat": (own_files.book_mat, "12 official splits with 10 labels"),
    "digits.zip": (own_files.digits_zip, "300 images of 8 × 8 pixels"),
}


def uploader(page, app: str) -> None:
    page.goto(f"{app}/propagation?data={quote(OWN_FILE)}")
    page.wait_for_selector(INPUT, state="attached")
    settle(page)


def upload(page, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.set_input_files(INPUT, files=[file])


def opened(page, app: str, name: str, content: bytes, understood: str) -> None:
    """Upload a file, read the preview, open it."""
    uploader(page, app)
    upload(page, name, content)
    page.get_by_text(understood).first.wait_for()
    settle(page)
    page.get_by_role("button", name="Open this data set").click()
    ready(page, MAP)


def metric(page, title: str) -> str:
    box = page.locator("[data-testid=stMetric]", has_text=title).first
    return box.locator("[data-testid=stMetricValue]").inner_text()


def predictions(page) -> list[str]:
    """The predicted classes in the file that the page offers."""
    page.get_by_text("Download the results").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="Predictions (CSV)").click()
    text = Path(found.value.path()).read_text(encoding="utf-8-sig")
    return [row["predicted_label"] for row in csv.DictReader(io.StringIO(text))]


def run_code(page) -> tuple[str, dict, str]:
    """The copied code, its names, its output."""
    page.get_by_text("Code of this picture").click()
    code = page.locator("[data-testid=stCode]").last.inner_text()
    names, out = {}, io.StringIO()
    with redirect_stdout(out):
        exec(code, names)
    return code, names, out.getvalue()


@pytest.mark.parametrize("name", FILES)
def test_a_file_becomes_a_picture_whose_code_predicts_the_same(
    app, page, snap, name, tmp_path, monkeypatch
):
    make, understood = FILES[name]
    content = make()
    (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    opened(page, app, name, content, understood)
    snap(page, f"upload_{name}")
    shown = metric(page, "Accuracy")
    assert shown == f"{reference_accuracy(name):.1%}", "as without our readers"
    code, names, printed = run_code(page)
    assert f"{float(printed):.1%}" == shown
    if name == "wein.csv":  # one of them also as a script of its own
        (tmp_path / "picture.py").write_text(code)
        assert subprocess.check_output([sys.executable, "picture.py"], text=True) == printed
    classes = names["dataset"].classes
    assert predictions(page) == [classes[c] for c in names["model"].transduction_]


def test_an_official_split_of_a_file_can_be_chosen(app, page):
    opened(page, app, "book.mat", own_files.book_mat(), "12 official splits")
    page.locator(".st-key-split input").click()
    page.keyboard.type("official")
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('split=official')")
    settle(page)
    page.get_by_text("10 of 130").wait_for()
    page.reload()
    ready(page, MAP)
    assert metric(page, "Labels given") == "10 of 130", "it survives a reload"
    page.evaluate("navigator.clipboard.writeText = async () => {}")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("On this server only: your data (for thirty days)").wait_for()


def test_a_table_without_labels_is_labelled_with_the_keys(app, page, snap):
    uploader(page, app)
    upload(page, "plain.csv", own_files.wine_unlabelled_csv())
    page.get_by_text("without labels: label points by hand").wait_for()
    settle(page)
    page.get_by_role("button", name="Open this data set").click()
    ready(page, "first_labels_map")
    snap(page, "upload_unlabelled")
    for point, key in ((5, "1"), (100, "2")):
        at = page.evaluate(
            f"""(i) => {{ const gd = document.querySelector('{plot("first_labels_map")}');
            const l = gd._fullLayout, box = gd.getBoundingClientRect(), t = gd.data[0];
            return [box.left + l.xaxis._offset + l.xaxis.d2p(t.x[i]),
                    box.top + l.yaxis._offset + l.yaxis.d2p(t.y[i])]; }}""",
            point,
        )
        page.mouse.move(at[0] - 20, at[1] - 20)
        page.mouse.move(*at, steps=3)
        page.wait_for_selector(f"{plot('first_labels_map')}[data-hovered]")
        page.keyboard.press(key)
        settle(page)
    ready(page, MAP)
    assert metric(page, "Accuracy") == "unknown"
    page.get_by_text("No true class is known, so there is no accuracy").wait_for()
    turn_to(page, "Hubs", "hubs_3")


def test_hostile_files_are_refused_in_words(app, page):
    page.on("dialog", lambda dialog: pytest.fail("a script ran"))
    uploader(page, app)
    bomb = npz_of(X=np.zeros((20_000, 2_000), np.uint8))
    for name, content, words in (
        ("hang.csv", (b"a,'b' " * 4000 + b"\n") * 3, "no column except the labels holds numbers"),
        ("bomb.npz", bomb, "more than 32,000,000 numbers"),
        ("pickle.npz", npz_of(X=np.array([[{}, 1], [2, 3]], object)), "never read"),
        ("evil.zip", own_files.zip_of({"../x.png": own_files.png(np.zeros((8, 8)))}), "leads out"),
        ("empty.csv", b"", "it is empty"),
        ("one.csv", b"a\n1\n2\n", "one column only"),
        ("table.xlsx", b"PK", "expected a table"),
        ("broken.parquet", b"PAR1xxxxPAR1", "damaged, or not a parquet file"),
        ("broken.mat", b"MATLAB 5.0 MAT-file junk", "damaged, or not a mat file"),
        ("<img src=x onerror=alert(1)>.zip", b"hello", "damaged, or not a zip file"),
        ("binary.csv", b"\0\0\0,\0\n\0", "not a text file"),
    ):
        upload(page, name, content)
        page.locator("[data-testid=stAlertContentError]", has_text=words).first.wait_for()
        settle(page)


def test_markup_in_names_is_text_in_the_browser(app, page):
    """`page` fails at its end if another host was asked for anything."""
    page.on("dialog", lambda dialog: pytest.fail("a script ran"))
    iris = data.load("iris")
    names = [
        "<img src=x onerror=alert(1)>", "![p](http://evil.example/x.png)",
        "<a href='javascript:alert(1)'>a</a>",
    ]  # fmt: skip
    content = npz_of(X=iris.X, y=iris.y, classes=names)
    opened(page, app, "<svg onload=alert(1)>.npz", content, "150 rows")
    for title, key in (("Neighbour graph", "graph_map"), ("Compare", "compare_map")):
        assert page.locator("img[src*='evil'], img[src='x'], main a[href^=javascript]").count() == 0
        assert names[0] in page.locator("body").inner_text(), "it is shown as it is"
        turn_to(page, title, key)
        if title == "Neighbour graph":
            page.locator("[data-testid=stDataFrame]").first.hover()
            unguarded = page.locator("button[aria-label='Download as CSV']")
            assert unguarded.count() and not unguarded.first.is_visible(), "it keeps formulas"
