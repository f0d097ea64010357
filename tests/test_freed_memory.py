"""Freed memory goes back to the system."""

import platform
import subprocess
import sys

import pytest

MEASURE = """
import threading
import psutil
from sslviz.freed_memory import return_large_blocks
assert return_large_blocks()
rss = lambda: psutil.Process().memory_info().rss
def fill():
    blocks = [bytearray(400_000) for _ in range(50)]
threads = [threading.Thread(target=fill) for _ in range(20)]
before = rss()
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(rss() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told to")
def test_what_many_threads_have_freed_is_not_kept():
    done = subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, text=True)
    assert int(done.stdout) < 8_000_000, done.stderr
