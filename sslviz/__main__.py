"""The command line: paper tables and sweeps, with a progress bar and results that are kept."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

EPILOG = (
    "Exit codes: 0 all there, 1 cells failed, 2 wrong arguments, 3 data sets are missing, "
    "130 stopped. Results are kept in --out and never computed twice."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if chosen.command is None:
        parser.print_help()
        return 0
    try:
        return _table(chosen) if chosen.command == "table" else _bench(chosen)
    except (ValueError, OSError) as error:  # an argument or the folder of results is no good
        print(f"sslviz: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m sslviz", description="Semi-supervised learning you can watch.", epilog=EPILOG
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    running = argparse.ArgumentParser(add_help=False)
    add = running.add_argument
    add("--seeds", type=_positive, metavar="N", help="draws of points and labels")
    add("--out", type=Path, default=Path("results"), metavar="DIR", help="folder of the results")
    add("--scheduler", metavar="ADDRESS", help="run on this Dask cluster; workers need the data")
    table = commands.add_parser(
        "table", parents=[running], help="the table of a paper, beside its numbers", epilog=EPILOG
    )
    table.add_argument("name", nargs="?", metavar="NAME", help="or 'all'; without, list them")
    bench = commands.add_parser(
        "bench", parents=[running], help="methods × data sets × seeds", epilog=EPILOG
    )
    add = bench.add_argument
    add("--methods", nargs="+", default=[], metavar="CLASS", help="all if not given")
    add("--datasets", nargs="+", metavar="SET", help="a few built-in ones if not given")
    add("--labels", nargs="+", type=_positive, default=[3, 10], metavar="L", help="per class")
    add("--grid", nargs="+", default=[], metavar="PARAMETER", help="walk over its shown range")
    add("--count", type=_positive, default=5, metavar="N", help="values of a grid")
    return parser


def _positive(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return value


def _table(chosen: argparse.Namespace) -> int:
    from sslviz.experiments.papers import TABLES

    if chosen.name is None:
        width = max(map(len, TABLES))
        for table in TABLES.values():
            print(f"{table.name:{width}}  {table.title}. {table.source}.")
        return 0
    if chosen.name != "all" and chosen.name not in TABLES:
        raise ValueError(f"table: {chosen.name!r} is not one of {', '.join([*TABLES, 'all'])}")
    names = list(TABLES) if chosen.name == "all" else [chosen.name]
    return _run([TABLES[name] for name in names], chosen)


def _bench(chosen: argparse.Namespace) -> int:
    from sslviz.experiments.sweep import DATASETS, sweep

    table = sweep(
        chosen.methods,
        chosen.datasets or DATASETS,
        chosen.labels,
        grid=chosen.grid,
        count=chosen.count,
    )
    return _run([table], chosen)


def _run(tables: list, chosen: argparse.Namespace) -> int:
    from sslviz.experiments.report import text
    from sslviz.experiments.runner import INTERRUPTED, run, worst

    statuses = []
    for table in tables:
        done = run(table, draws=chosen.seeds, out=chosen.out, scheduler=chosen.scheduler)
        print(text(done), end="\n\n", flush=True)
        statuses.append(done.status)
        if done.status == INTERRUPTED:
            break
    return worst(statuses)


if __name__ == "__main__":
    sys.exit(main())
