"""A visitor: one websocket session that opens a page and speaks Streamlit's protocol."""

import asyncio
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from soak.address import AddressBar
from soak.messages import Answer, read_answer
from soak.moves import WIDGETS, Move, Widget

FIGURE = "sslviz_live"  # the component that draws figures
PATIENCE = 120.0  # seconds; a move without an answer by then is an error
CACHED_RUNS = 20  # a browser keeps large messages for so many runs (global.maxCachedMessageAge)


@dataclass
class Record:
    """What became of a move; times in seconds, from sending it."""

    page: str
    kind: str  # of the move
    name: str  # of its widget
    begun: float  # seconds since the soak began
    first: float | None = None  # until the first delta
    picture: float | None = None  # until the first figure
    finish: float | None = None  # until the script had run
    final: float | None = None  # until no run was in progress either; only for a herd
    bytes: int = 0
    error: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Session:
    """Opens an address, sends moves and waits for their answers; redraws runs as a browser does."""

    def __init__(self, server: str, address: str, origin: float) -> None:
        self.socket_url = server.replace("http", "ws", 1) + "/_stcore/stream"
        self.address, self.bar = address, AddressBar(address)
        self.origin = origin  # perf_counter at the beginning of the soak
        self.widgets: dict[str, Widget] = {}
        self.exceptions: list[str] = []
        self.runs = 0
        self._described: dict[str, Widget] = {}  # by the run in progress
        self._states: dict[str, WidgetState] = {}
        self._cached: dict[str, int] = {}  # hash of a message: run in which it was last used
        self._page_hash = ""
        self._timers: dict[str, asyncio.Task] = {}  # fragments that run repeatedly
        self._record: Record | None = None
        self._run_began = False
        self._in_fragment = False  # whether the move is in a fragment, whose run is its answer
        self._answered = asyncio.Event()

    async def __aenter__(self) -> "Session":
        self._socket: ClientConnection = await connect(
            self.socket_url,
            subprotocols=["streamlit"],  # type: ignore[list-item]
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
            ping_timeout=None,
        )
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *error: object) -> None:
        self._stop_timers()
        self._reader.cancel()
        await self._socket.close()

    async def send(self, move: Move, *, until_final: float = 0.0) -> Record:
        """Make a move and wait for its answer, and then at most so many seconds until no run of
        the page is in progress."""
        begun = perf_counter()
        record = Record(self.address, move.kind, move.name, begun - self.origin)
        fragment = move.widget.fragment if move.widget else ""
        self._record, self._run_began, self._in_fragment = record, False, bool(fragment)
        self._answered.clear()
        if move.widget and move.state:
            self._states[move.state.id] = move.state
            if move.kind != "invalid":
                self.bar.follow(move.widget, move.state)
        try:
            await self._request(fragment)
            await asyncio.wait_for(self._answered.wait(), PATIENCE)
            while self._timers and perf_counter() - begun < until_final:
                await asyncio.sleep(0.02)
            if until_final and not self._timers:
                record.final = perf_counter() - begun
        except TimeoutError:
            record.error = f"no answer in {PATIENCE:.0f} s"
        except ConnectionClosed:
            record.error = "disconnected"
        if move.kind == "invalid" and move.state:
            self._states.pop(move.state.id, None)
        self._record = None
        return record

    @property
    def is_connected(self) -> bool:
        return not self._reader.done()

    async def _request(self, fragment: str = "", repeated: bool = False) -> None:
        """Ask for a run of the script, or of one fragment of it."""
        state = ClientState(
            query_string=self.bar.query,
            page_script_hash=self._page_hash,
            page_name="" if self._page_hash else self.bar.page,
            fragment_id=fragment,
            is_auto_rerun=repeated,
            cached_message_hashes=[
                name for name, run in self._cached.items() if self.runs - run <= CACHED_RUNS
            ],
        )
        state.widget_states.widgets.extend(self._states.values())
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())

    async def _read(self) -> None:
        try:
            async for data in self._socket:
                assert isinstance(data, bytes)
                self._take(read_answer(data), len(data))
        except ConnectionClosed:
            pass
        finally:
            if self._record:
                self._record.error = self._record.error or "disconnected"
            self._answered.set()

    def _take(self, answer: Answer, size: int) -> None:
        record = self._record
        if record:
            record.bytes += size
        if answer.kind == "delta" and record and self._run_began:
            now = perf_counter() - self.origin - record.begun
            record.first = now if record.first is None else record.first
            if answer.component == FIGURE and record.picture is None:
                record.picture = now
        if answer.cacheable:
            self._cached[answer.hash] = self.runs
        if answer.message is None:
            return
        if answer.kind == "ref_hash":
            self._cached[answer.message.ref_hash] = self.runs
        elif answer.kind == "delta":
            self._take_element(answer.message)
        elif handler := getattr(self, f"_on_{answer.kind}", None):
            handler(answer.message)

    def _take_element(self, message: ForwardMsg) -> None:
        delta = message.delta
        if delta.WhichOneof("type") != "new_element":
            return
        kind = delta.new_element.WhichOneof("type")
        if kind == "exception":
            shown = delta.new_element.exception
            self.exceptions.append(f"{shown.type}: {shown.message}"[:300])
            if self._record:
                self._record.error = self._record.error or "exception"
        elif kind in WIDGETS:
            proto = getattr(delta.new_element, kind)
            self._described[proto.id] = Widget(kind, proto, delta.fragment_id)
            if proto.set_value:
                self._states.pop(proto.id, None)

    def _on_new_session(self, message: ForwardMsg) -> None:
        self._run_began = True
        if not message.metadata.run.fragment_ids:
            self._stop_timers()
            self._described = {}

    def _on_navigation(self, message: ForwardMsg) -> None:
        self._page_hash = message.navigation.page_script_hash

    def _on_page_info_changed(self, message: ForwardMsg) -> None:
        self.bar.query = message.page_info_changed.query_string

    def _on_auto_rerun(self, message: ForwardMsg) -> None:
        fragment = message.auto_rerun.fragment_id
        if fragment not in self._timers:
            repeat = self._repeat(fragment, message.auto_rerun.interval)
            self._timers[fragment] = asyncio.create_task(repeat)

    def _on_stop_auto_rerun(self, message: ForwardMsg) -> None:
        for fragment in message.stop_auto_rerun.fragment_ids:
            if timer := self._timers.pop(fragment, None):
                timer.cancel()

    def _on_script_finished(self, message: ForwardMsg) -> None:
        status = message.script_finished
        whole = status == ForwardMsg.FINISHED_SUCCESSFULLY
        if not self._run_began or status == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return
        self.runs += 1
        self.widgets = self._described if whole else self.widgets | self._described
        record = self._record
        if record and record.finish is None and (whole or self._in_fragment):
            record.finish = perf_counter() - self.origin - record.begun
            self._answered.set()

    async def _repeat(self, fragment: str, interval: float) -> None:
        try:
            while True:
                await asyncio.sleep(interval)
                await self._request(fragment, repeated=True)
        except ConnectionClosed:
            pass

    def _stop_timers(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
