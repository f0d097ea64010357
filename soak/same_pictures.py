"""The same visit on two servers, with local workers and on a Dask cluster.

    python -m soak.same_pictures [PAGE ...]

A scheduler and two workers are started as README says. One visitor opens every page on both servers
and moves the same sliders; after each move, when nothing runs any more, the figures are compared.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

from soak.address import plans
from soak.messages import Answer
from soak.moves import Move, Widget, valid_state
from soak.server import Server, start_server
from soak.session import FIGURE, Session
from soak.visitors import OPENING

MOVES = 2  # after opening a page
PATIENCE = 90.0  # seconds that the runs of a page may take
QUIET = 2.0  # seconds without a change
DASK = Path(sys.executable).with_name("dask")


class Viewer(Session):
    """A session that knows the content of every figure on its page, by place."""

    def __init__(self, server: str, address: str, origin: float) -> None:
        super().__init__(server, address, origin)
        self.figures: dict[tuple[int, ...], str] = {}
        self._known: dict[str, str] = {}

    def _take(self, answer: Answer, size: int) -> None:
        super()._take(answer, size)
        if answer.kind == "new_session" and answer.message is not None:
            if not answer.message.metadata.run.fragment_ids:
                self.figures = {}
        if answer.component == FIGURE:
            self.figures[answer.path] = answer.hash
            self._known[answer.hash] = answer.component
        elif answer.kind == "ref_hash" and answer.message is not None:
            if answer.message.ref_hash in self._known:
                path = tuple(answer.message.metadata.delta_path)
                self.figures[path] = answer.message.ref_hash


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    address = "tcp://127.0.0.1:18786"
    scheduler = "--host 127.0.0.1 --port 18786 --no-dashboard".split()
    commands = [["scheduler", *scheduler], *[["worker", address, "--nthreads", "1"]] * 2]
    with ExitStack() as stack:
        for number, command in enumerate(commands):
            log = stack.enter_context(open(folder / f"dask-{number}.log", "w"))
            started = subprocess.Popen([DASK, *command], stdout=log, stderr=log, cwd=folder)
            stack.callback(started.terminate)
        yield address


async def visit(server: Server, address: str) -> list[dict[tuple[int, ...], str]]:
    """The figures of a page after its opening and after each move."""
    seen, random = [], Random(address)
    async with Viewer(server.url, address, time.perf_counter()) as session:
        for number in range(1 + MOVES):
            move = OPENING if number == 0 else next_slider(session.widgets.values(), random)
            record = await session.send(move, until_final=PATIENCE)
            if record.error or session.exceptions:
                print(f"{address}: {record.error} {session.exceptions}")
            seen.append(await still_figures(session))
    return seen


async def still_figures(session: Viewer) -> dict[tuple[int, ...], str]:
    """The figures when none has changed for some time: a page is drawn once more after a run."""
    end, before = time.perf_counter() + PATIENCE, None
    while before != (session.runs, session.figures) and time.perf_counter() < end:
        before = session.runs, dict(session.figures)
        await asyncio.sleep(QUIET)
    return dict(session.figures)


def next_slider(widgets: Iterable[Widget], random: Random) -> Move:
    sliders = sorted(
        (w for w in widgets if w.kind == "slider" and w.is_movable), key=lambda w: w.proto.id
    )
    if not sliders:
        return OPENING
    chosen = random.choice(sliders)
    return Move(chosen, valid_state(chosen, random), "slider")


def main() -> int:
    """Print the pages whose pictures differ; their number is the exit code."""
    different = 0
    with tempfile.TemporaryDirectory(prefix="same-") as folder, cluster(Path(folder)) as address:
        with start_server() as here, start_server(SSLVIZ_SCHEDULER=address) as there:
            for page in plans(sys.argv[1:]):
                one, other = (asyncio.run(visit(server, page)) for server in (here, there))
                figures = [len(figures) for figures in one]
                same = one == other
                different += not same
                print(f"{page:28} {figures} figures {'the same' if same else 'DIFFER'}", flush=True)
    return different


if __name__ == "__main__":
    raise SystemExit(main())
