"""Results leave the app: figures as files, predictions as a table."""

import csv
import io
from pathlib import Path

from browser.actions import PLOT, plot, visit

FIGURE = "propagation_map"


def saved(page, action):
    with page.expect_download() as found:
        action()
    return Path(found.value.path()).read_bytes()


def test_a_figure_is_saved_as_png_svg_and_a_page_that_works_alone(page, app, tmp_path):
    visit(page, f"{app}/propagation?two_moons.n_samples=316", FIGURE)
    files = {
        kind: saved(
            page,
            lambda kind=kind: page.locator(
                f"{plot(FIGURE)} .modebar-btn[data-title='Download as {kind}']"
            ).dispatch_event("click"),
        )
        for kind in ("PNG", "SVG", "HTML")
    }
    assert files["PNG"].startswith(b"\x89PNG") and b"<svg" in files["SVG"][:300]
    alone = tmp_path / "figure.html"
    alone.write_bytes(files["HTML"])
    asked = []
    other = page.context.new_page()
    other.on("request", lambda request: asked.append(request.url))
    other.goto(alone.as_uri())
    other.wait_for_function("document.querySelector('#figure')?._fullData?.length > 0")
    count = "document.querySelector('#figure')._transitionData._frames.length"
    assert other.evaluate(count) > 2 and other.locator(".slider-container").count() == 1
    assert all(url.startswith(("file:", "blob:", "data:")) for url in asked)
    other.close()


def test_predictions_are_saved_with_a_row_for_each_point(page, app):
    visit(page, f"{app}/propagation?two_moons.n_samples=316", FIGURE)
    page.get_by_text("Download the results").click()
    text = saved(page, page.get_by_role("button", name="Predictions (CSV)").click).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 316 and sum(row["given_label"] != "" for row in rows) == 6
    hidden = [row for row in rows if not row["given_label"]]
    right = sum(row["predicted_label"] == row["true_label"] for row in hidden) / len(hidden)
    assert f"{right:.1%}" in page.locator("[data-testid=stMetric]").first.inner_text()
    assert page.locator(PLOT).count() > 0
