// What the user does to a figure: clicks, keys, selections, which go to Python, and the image of the
// point under the cursor. live_figure.py puts plotly_setup.js before it and linked_figures.js after it.

let serial = Date.now(); // of events: grows through remounts and reloads, so Python can tell them apart

const far = (e, { x, y }) => Math.hypot(e.clientX - x, e.clientY - y);

class Hands {
  report(kind, { point = null, key = null, points = [] }) {
    serial += 1;
    this.log = [...this.log.slice(-31), { serial, kind, point, key, points }];
    this.send(this.log);
  }

  listen() {
    this.bar.addEventListener("click", (e) => {
      const ask = e.target.closest("button")?.dataset.do;
      if (ask) this.player(ask);
    });
    this.range.addEventListener("input", () => { this.playing = false; this.go(+this.range.value); });
    this.up = (e) => this.release(e);
    this.key = (e) => this.type(e);
    window.addEventListener("pointerup", this.up, true);
    window.addEventListener("keydown", this.key, true); // before Streamlit's own keys (r, c)
  }

  // The pointer over a plot
  attend(plot) {
    this.observer.observe(plot);
    plot.addEventListener("pointerdown", (e) => {
      plot.focus({ preventScroll: true });
      const point = e.target.tagName === "CANVAS" ? this.hovered : null; // of a scene: see click
      const [last, free] = [this.press, this.flat && this.hovered === null];
      const again = last?.free && free && e.timeStamp - last.time < 400 && far(e, last) < 5;
      this.press = { x: e.clientX, y: e.clientY, time: e.timeStamp, down: true, point, free, again };
    }, true);
    plot.addEventListener("pointermove", (e) => this.place(e));
    // A wheel over the figure scrolls the page until the user has clicked into it.
    plot.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && document.activeElement !== plot) e.stopPropagation();
    }, { capture: true, passive: true });
  }

  // plotly's own events, once it has made the plot
  hear(plot) {
    const index = (e) => [e.points?.[0]?.customdata].flat()[0];
    plot.on("plotly_hover", (e) => this.hover(index(e) ?? null));
    plot.on("plotly_unhover", () => this.hover(null));
    plot.on("plotly_click", (e) => this.click(index(e)));
    plot.on("plotly_relayout", (change) => this.look(change ?? {}));
    plot.on("plotly_selected", (e) => {
      const points = (e?.points ?? []).map((p) => [p.customdata].flat()[0]).filter(Number.isInteger);
      if (points.length) this.report("select", { points });
    });
  }

  // A 3-D scene reports a click at every redraw while the button is down, also at the start of a
  // turn, and none if it does not redraw in time: it counts once, when the button comes up where it
  // went down.
  click(point) {
    const press = this.press;
    if (!press || press.done || !Number.isInteger(point)) return;
    if (press.down) { press.point = point; return; }
    press.done = true;
    this.report("click", { point });
  }

  // A double click beside the points shows all of them. plotly's own would do so after any two quick
  // clicks, also on two points, and then report a click on whatever has come under the cursor.
  reset() {
    this.press.done = true;
    this.whole();
  }

  release(e) {
    const press = this.press;
    if (!press?.down) return;
    press.down = false;
    if (far(e, press) > 5) press.done = true;
    else if (press.again) this.reset();
    else if (press.point !== null) this.click(press.point);
  }

  type(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.isContentEditable) return;
    const writing = "textarea, select, input:not([type=range], [type=checkbox], [type=radio])";
    if (e.target.matches?.(writing)) return;
    const step = { " ": this.playing ? "pause" : "play", ArrowLeft: "back", ArrowRight: "next" }[e.key];
    const key = e.key === "Backspace" ? "Delete" : e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (step && e.target === this.plot && !this.bar.hidden) this.player(step);
    else if (this.hovered !== null && /^(\p{L}|\d|Delete)$/u.test(key)) {
      if (!e.repeat) this.report("key", { point: this.hovered, key });
    } else return;
    e.preventDefault();
    e.stopImmediatePropagation();
  }

  // ---- the image of the point under the cursor

  async hover(point) {
    this.hovered = Number.isInteger(point) ? point : null;
    if (this.hovered === null) delete this.plot.dataset.hovered;
    else this.plot.dataset.hovered = point; // live_figure.css turns the cursor into a hand
    const tiles = this.data.thumbnails;
    const url = this.hovered === null ? null : tiles?.urls[Math.floor(point / tiles.per_sheet)];
    if (!url) { this.thumb.hidden = true; return; }
    const sheet = await kept(url).catch(() => url);
    if (this.hovered !== point) return; // the cursor has moved on
    const scale = 96 / Math.max(tiles.width, tiles.height);
    const [w, h] = [tiles.width * scale, tiles.height * scale];
    const tile = point % tiles.per_sheet;
    Object.assign(this.thumb.style, { width: `${w}px`, height: `${h}px`, backgroundImage: `url("${sheet}")`,
      backgroundSize: `${tiles.columns * w}px auto`,
      backgroundPosition: `${-(tile % tiles.columns) * w}px ${-Math.floor(tile / tiles.columns) * h}px` });
    this.thumb.dataset.point = point;
    this.thumb.hidden = false;
    this.place();
  }

  // Above the cursor, clear of plotly's label beside it; below it where there is no room.
  place(e) {
    const box = this.root.getBoundingClientRect();
    if (e) this.cursor = [e.clientX - box.left, e.clientY - box.top];
    if (this.thumb.hidden || !this.cursor) return;
    const [x, y] = this.cursor;
    const { offsetWidth: w, offsetHeight: h } = this.thumb;
    const left = Math.min(Math.max(x - w / 2, 0), this.root.offsetWidth - w);
    this.thumb.style.transform = `translate(${left}px, ${y - h - 36 > 0 ? y - h - 36 : y + 36}px)`;
  }
}

