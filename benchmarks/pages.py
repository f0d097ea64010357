"""What each page costs a server: CPU milliseconds and bytes of a rerun, time to the first picture.

    python -m benchmarks.pages [--first] [--root FOLDER] [PAGE ...]

One visitor moves the sliders of a page ten times (results computed anew) and then makes the same
moves again (results kept, so that only the page is drawn). CPU time is that of the server and its
workers; unlike the clock it means something on a busy machine, too. With --first each page is
opened on a server of its own that has just started.
"""

import argparse
import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from soak.address import READING
from soak.moves import Move, Widget, valid_state
from soak.server import ROOT, Server, start_server
from soak.session import Record, Session
from soak.visitors import OPENING
from sslviz.ui.page_list import PAGES

MOVES = 10
PATIENCE = 10.0  # seconds that a run may take after each move
QUIET = 0.05  # CPU seconds in a second: the server has warmed up


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.pages", description=__doc__)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--first", action="store_true", help="only the first picture, cold")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the app to measure")
    chosen = parser.parse_args()
    pages = chosen.pages or [p.name for p in PAGES if chosen.first or p.name not in READING]
    if chosen.first:
        show_first_pictures(pages, chosen.root.resolve())
    else:
        show_costs(pages, chosen.root.resolve())


def show_first_pictures(pages: Sequence[str], root: Path) -> None:
    """Print when a page shows its first element, first picture and all of it, on a new server."""
    print(f"{'page':18} {'element':>8} {'picture':>8} {'finish':>8} {'CPU s':>6}   (seconds)")
    for page in pages:
        with start_server(root) as server:
            used = server.measure()["cpu"]
            record = asyncio.run(visit_once(server, page))
            used = server.measure()["cpu"] - used
        times = (record.first, record.picture, record.finish)
        words = " ".join("       –" if t is None else f"{t:8.2f}" for t in times)
        print(f"{page:18} {words} {used:6.2f} {record.error}", flush=True)


async def visit_once(server: Server, page: str) -> Record:
    origin = time.perf_counter()
    async with Session(server.url, f"/{page}", origin) as session:
        return await session.send(OPENING)


def show_costs(pages: Sequence[str], root: Path) -> None:
    """Print CPU milliseconds and kilobytes per move, computed anew and drawn again."""
    print(f"{'page':18} {'ms new':>8} {'ms again':>8} {'wall new':>8} {'again':>8} {'kB':>8}")
    with start_server(root) as server:
        asyncio.run(visit_once(server, "home"))
        wait_until_quiet(server)
        for page in pages:
            print(asyncio.run(cost_of(server, page)), flush=True)


async def cost_of(server: Server, page: str) -> str:
    """A row of the table."""
    async with Session(server.url, f"/{page}", time.perf_counter()) as session:
        await session.send(OPENING, until_final=PATIENCE)
        sliders = [w for w in session.widgets.values() if w.kind == "slider" and w.is_movable]
        moves = slider_moves(sliders)
        new, computed = await _timed(server, session, moves)
        again, drawn = await _timed(server, session, moves)
    errors = {r.error for r in computed + drawn if r.error}
    size = sum(r.bytes for r in drawn) / max(len(drawn), 1) / 1000
    walls = [min(r.finish or 999 for r in records) for records in (computed, drawn)]
    clock = " ".join(f"{wall:8.2f}" for wall in walls)
    return f"{page:18} {new:8.0f} {again:8.0f} {clock} {size:8.0f} {' '.join(errors)}"


def slider_moves(sliders: Sequence[Widget]) -> list[Move]:
    """Ten moves of the sliders in turn, the same in every run of the benchmark."""
    random = Random(0)
    chosen = [sliders[i % len(sliders)] for i in range(MOVES)] if sliders else []
    moves = [Move(w, valid_state(w, random), "slider") for w in chosen]
    return moves or [Move(None, None, "rerun")] * MOVES


async def _timed(
    server: Server, session: Session, moves: Sequence[Move]
) -> tuple[float, list[Record]]:
    """CPU milliseconds of the server per move, and the records of the moves."""
    begun = server.measure()["cpu"]
    records = [await session.send(move, until_final=PATIENCE) for move in moves]
    await asyncio.sleep(0.2)
    return 1000 * (server.measure()["cpu"] - begun) / len(moves), records


def wait_until_quiet(server: Server, seconds: float = 300) -> None:
    """Wait until the server no longer warms up in the background."""
    end = time.monotonic() + seconds
    quiet = 0
    while quiet < 5 and time.monotonic() < end:
        used = server.measure()["cpu"]
        time.sleep(1)
        quiet = quiet + 1 if server.measure()["cpu"] - used < QUIET else 0


if __name__ == "__main__":
    main()
