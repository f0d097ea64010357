"""Many visitors at once: a class that moves controls, or a herd that opens one link."""

import asyncio
from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import Any

import psutil
from websockets.exceptions import WebSocketException

from soak.moves import Move, next_move
from soak.server import Server
from soak.session import PATIENCE, Record, Session

OPENING = Move(None, None, "open")
PAUSE = (2.0, 4.0)  # seconds between an answer and the next move
ARRIVAL = 10.0  # seconds in which the visitors arrive
SAMPLE_INTERVAL = 2.0  # seconds between two measurements of the server


class Soak:
    """The records of all visitors and the measurements of the server meanwhile."""

    def __init__(self, server: Server, seed: int = 0) -> None:
        self.server, self.seed = server, seed
        self.origin = perf_counter()
        self.records: list[Record] = []
        self.samples: list[dict[str, Any]] = []
        self.exceptions: list[str] = []

    async def visit(self, addresses: Sequence[str], sessions: int, seconds: float) -> None:
        """`sessions` visitors spread over the addresses, for so many seconds."""
        sampling = asyncio.create_task(self._sample())
        gap = ARRIVAL / sessions
        await asyncio.gather(
            *(
                self._visitor(i, addresses[i % len(addresses)], i * gap, seconds)
                for i in range(sessions)
            )
        )
        sampling.cancel()
        self._measure()

    async def herd(self, address: str, sessions: int) -> None:
        """All visitors open one address at the same time, each until its picture is final."""
        sampling = asyncio.create_task(self._sample())
        await asyncio.gather(*(self._member(address) for _ in range(sessions)))
        sampling.cancel()
        self._measure()

    async def _visitor(self, number: int, address: str, arrival: float, seconds: float) -> None:
        random = Random(f"{self.seed} {number}")
        await asyncio.sleep(arrival)
        while self._now() < seconds:
            try:
                async with Session(self.server.url, address, self.origin) as session:
                    await self._stay(session, random, seconds)
                    self.exceptions += session.exceptions
            except (OSError, TimeoutError, WebSocketException) as error:
                kind = type(error).__name__
                self.records.append(Record(address, "open", "", self._now(), error=kind))
                await asyncio.sleep(PAUSE[0])

    async def _stay(self, session: Session, random: Random, seconds: float) -> None:
        self.records.append(await session.send(OPENING))
        while session.is_connected and self._now() < seconds:
            await asyncio.sleep(random.uniform(*PAUSE))
            move = next_move(session.widgets, random)
            self.records.append(await session.send(move))

    async def _member(self, address: str) -> None:
        async with Session(self.server.url, address, self.origin) as session:
            self.records.append(await session.send(OPENING, until_final=PATIENCE))
            self.exceptions += session.exceptions

    async def _sample(self) -> None:
        while True:
            self._measure()
            await asyncio.sleep(SAMPLE_INTERVAL)

    def _measure(self) -> None:
        times, own = psutil.cpu_times(), psutil.Process().cpu_times()
        sample = {
            "at": self._now(),
            "busy": times.user + times.system + times.nice,
            "client": own.user + own.system,
            "load": psutil.getloadavg()[0],
        }
        self.samples.append(sample | self.server.measure())

    def _now(self) -> float:
        return perf_counter() - self.origin
