"""The command line: the app, the tables of papers, sweeps over methods and data sets."""

import argparse
import runpy
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from sslviz.paths import app_folder

EPILOG = (
    "Exit codes: 0 complete, 1 some runs failed, 2 wrong arguments, 3 data sets are missing, "
    "130 interrupted. Results are stored in --out and never computed twice."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = _parser()
    chosen, options = parser.parse_known_args(arguments)
    if chosen.command == "app":
        return _app(options)
    if options:
        parser.error(f"unrecognized arguments: {' '.join(options)}")
    if chosen.command is None:
        parser.print_help()
        return 0
    try:
        return _table(chosen) if chosen.command == "table" else _bench(chosen)
    except (ValueError, OSError) as error:  # a wrong argument, or --out cannot be written
        print(f"sslviz: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("sslviz", description="See semi-supervised learning happen.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser(
        "app", add_help=False, help="open the app; options are those of `streamlit run`"
    )
    shared = argparse.ArgumentParser(add_help=False)
    add = shared.add_argument
    add("--seeds", type=_positive, metavar="N", help="number of random draws of points and labels")
    add("--out", type=Path, default=Path("results"), metavar="DIR", help="folder of the results")
    where = shared.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", type=_positive, metavar="N", help="worker processes; default: one per core"
    )
    where.add_argument(
        "--scheduler", metavar="ADDRESS", help="run on this Dask cluster; workers need the data"
    )
    table = commands.add_parser(
        "table", parents=[shared], help="a paper's table beside its own numbers", epilog=EPILOG
    )
    table.add_argument("name", nargs="?", metavar="NAME", help="or 'all'; without it, list them")
    bench = commands.add_parser(
        "bench", parents=[shared], help="methods × data sets × seeds", epilog=EPILOG
    )
    add = bench.add_argument
    add("--methods", nargs="+", default=[], metavar="CLASS", help="default: all")
    add("--datasets", nargs="+", metavar="SET", help="default: five built-in ones")
    add("--labels", nargs="+", type=_positive, default=[3, 10], metavar="L", help="per class")
    add("--grid", nargs="+", default=[], metavar="PARAMETER", help="vary it over its range")
    add("--count", type=_positive, default=5, metavar="N", help="values per parameter of a grid")
    return parser


def _app(options: Sequence[str]) -> int:
    """Run app.py with Streamlit, in this process; its settings are in .streamlit beside it."""
    sys.argv = ["streamlit", "run", str(app_folder() / "app.py"), *options]
    try:
        runpy.run_module("streamlit", run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


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
    from sslviz.executor import connect
    from sslviz.experiments.report import text
    from sslviz.experiments.runner import INTERRUPTED, run, worst

    statuses = []
    with closing(connect(chosen.scheduler, chosen.workers)) as executor:
        for table in tables:
            done = run(table, executor=executor, draws=chosen.seeds, out=chosen.out)
            print(text(done), end="\n\n", flush=True)
            statuses.append(done.status)
            if done.status == INTERRUPTED:
                break
    return worst(statuses)


if __name__ == "__main__":
    sys.exit(main())
