"""Load test of the app: python -m soak --sessions 30 --minutes 5 [--herd "/compare?data=iris"]

Starts a server (or takes the address of one), lets visitors move its controls, prints latencies by
page and writes soak.json, soak.html and server.log.
"""

import argparse
import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from soak.address import plans
from soak.picture import picture
from soak.server import ROOT, Server, start_server
from soak.summary import as_text, percentiles, summary
from soak.visitors import Soak


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m soak", description="Many visitors at once.")
    parser.add_argument("--sessions", type=int, default=30, help="visitors (30)")
    parser.add_argument("--minutes", type=float, default=5.0, help="how long they stay (5)")
    parser.add_argument("--pages", nargs="+", default=[], help="names or addresses; all by default")
    parser.add_argument("--herd", metavar="ADDRESS", help="all open this address at once, once")
    parser.add_argument("--server", metavar="URL", help="of a running server; else one is started")
    parser.add_argument("--pid", type=int, help="of the running server, to measure it")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the app to start")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("artifacts/soak"))
    return parser.parse_args()


@contextmanager
def server_of(chosen: argparse.Namespace) -> Iterator[Server]:
    if chosen.server:
        yield Server(chosen.server, chosen.pid)
        return
    with start_server(chosen.root.resolve(), chosen.out / "server.log") as server:
        yield server


def main() -> int:
    """Run the soak; 1 if a move failed."""
    chosen = arguments()
    chosen.out.mkdir(parents=True, exist_ok=True)
    with server_of(chosen) as server:
        soak = Soak(server, chosen.seed)
        if chosen.herd:
            asyncio.run(soak.herd(chosen.herd, chosen.sessions))
        else:
            visit = soak.visit(plans(chosen.pages), chosen.sessions, 60 * chosen.minutes)
            asyncio.run(visit)
    found = summary(soak)
    if chosen.herd:
        found["herd"] = percentiles(r.final for r in soak.records if r.final is not None)
    print(f"{chosen.sessions} sessions on {os.cpu_count()} cores")
    print(as_text(found))
    if chosen.herd:
        done = sum(r.final is not None for r in soak.records)
        print(f"herd: {done} of {chosen.sessions} final; seconds {found['herd']}")
    everything = found | {
        "records": [r.as_dict() for r in soak.records],
        "samples": soak.samples,
        "arguments": {k: str(v) for k, v in vars(chosen).items()},
    }
    (chosen.out / "soak.json").write_text(json.dumps(everything, indent=1))
    picture(soak, found).write_html(chosen.out / "soak.html", include_plotlyjs=True)
    print(f"written: {chosen.out}/soak.json, {chosen.out}/soak.html")
    return int(any(r.error for r in soak.records))


if __name__ == "__main__":
    raise SystemExit(main())
