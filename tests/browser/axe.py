"""axe-core in the browser: what keeps people out of a page, in words.

The script comes with the package axe-playwright-python, a requirement of the tests.
"""

from importlib.resources import files
from typing import Any

AXE = files("axe_playwright_python").joinpath("axe.min.js")
GRAVE = ("critical", "serious", "moderate")
# What is Streamlit's own and cannot be mended from outside: rule -> what its element looks like and
# why it stays. Everything else must be repaired.
ACCEPTED: dict[str, tuple[str, str]] = {}
RUN = """() => axe.run(document, {resultTypes: ['violations'], elementRef: false, preload: false})
    .then(({violations}) => violations.map(({id, impact, help, nodes}) => ({id, impact, help,
        nodes: nodes.map(({html, failureSummary}) => [html, failureSummary])})))"""


SECOND_LOOK = 1000  # ms: parts that are being replaced, and colours in transition, are gone then


def barriers(page: Any) -> list[str]:
    """Rules that the page breaks, and still breaks a second later."""
    if first := _barriers_now(page):
        page.wait_for_timeout(SECOND_LOOK)
        return [one for one in _barriers_now(page) if one in first]
    return []


def _barriers_now(page: Any) -> list[str]:
    """Rules that the page breaks as it is now: rule, element and advice of each."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(f"() => {{ {AXE.read_text(encoding='utf-8')} }}")
    page.wait_for_function("document.querySelector('[data-testid=stSidebarNavItems]')?.role")
    return [
        f"{found['impact']} {found['id']} ({found['help']}): {html[:200]} | {advice}"
        for found in page.evaluate(RUN)
        if found["impact"] in GRAVE
        for html, advice in found["nodes"]
        if not _is_accepted(found["id"], html)
    ]


def _is_accepted(rule: str, html: str) -> bool:
    return rule in ACCEPTED and ACCEPTED[rule][0] in html
