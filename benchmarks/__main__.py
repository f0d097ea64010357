"""Run benchmarks one after the other, each in its own process: python -m benchmarks [NAME ...]"""

import argparse
import ast
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The modules here that have a function `main`, sorted."""
    return sorted(path.stem for path in FOLDER.glob("[!_]*.py") if _runs(path))


def _runs(path: Path) -> bool:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in body)


def main() -> int:
    """Run the named benchmarks or all; 1 if one of them failed."""
    known = names()
    parser = argparse.ArgumentParser("python -m benchmarks", description="Compare with peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    chosen = parser.parse_args().names
    if unknown := sorted(set(chosen) - set(known)):
        parser.error(f"{unknown[0]!r} is not one of {', '.join(known)}")
    failed = []
    for name in known:
        if not chosen or name in chosen:
            print(f"== {name}", flush=True)
            command = [sys.executable, "-m", f"benchmarks.{name}"]
            if subprocess.run(command, cwd=FOLDER.parent, check=False).returncode:
                failed.append(name)
            print(flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
