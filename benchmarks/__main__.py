"""All benchmarks, one after the other in the order of their names, each in a process of its own.

python -m benchmarks [NAME ...]
"""

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


def main(chosen: list[str]) -> int:
    """Run the chosen ones or all; 1 if one of them failed."""
    known = names()
    if unknown := sorted(set(chosen) - set(known)):
        print(f"benchmarks: {unknown[0]!r} is not one of {', '.join(known)}", file=sys.stderr)
        return 2
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
    sys.exit(main(sys.argv[1:]))
