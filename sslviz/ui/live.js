// A plotly figure that is changed in place (Plotly.react), with a player for its frames, images of
// the points under the cursor, and clicks and keys sent to Python. live.py puts figure.js before it.
//
// Streamlit calls the default export at the first mount and again, with the same parentElement,
// whenever the data or the theme change.

const figures = new WeakMap(); // parentElement -> Live
const families = new Map(); // name of figures that look at the same place -> { members, view }
let serial = Date.now(); // of events: grows through remounts and reloads, so Python can tell them apart

export default function ({ data, parentElement, setTriggerValue }) {
  let live = figures.get(parentElement);
  if (!live) figures.set(parentElement, (live = new Live(parentElement)));
  live.send = (events) => setTriggerValue("event", events);
  live.update(data);
  // Streamlit also runs the clean-up of a call that a newer one overtook; only a figure that has
  // left the document is thrown away.
  return () => setTimeout(() => parentElement.isConnected || live.remove());
}

const far = (e, { x, y }) => Math.hypot(e.clientX - x, e.clientY - y);

class Live {
  constructor(parent) {
    this.root = parent.querySelector(".sslviz-live"); // live.html, which Streamlit has put there
    const [plot, bar, thumb] = this.root.children;
    Object.assign(this, { plot, bar, thumb, log: [], frame: 0, configs: {}, hovered: null, drawing: null });
    [this.range, this.label, this.speed] = ["input", "output", "select"].map((t) => bar.querySelector(t));
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(plot);
    this.listen();
  }

  update(data) {
    const fresh = data.figure !== this.data?.figure; // otherwise the theme or the height changed
    this.data = data;
    this.plot.style.height = `min(${data.height}px, 110vw)`;
    this.plot.setAttribute("aria-label", data.alt || data.name);
    if (fresh) this.read(JSON.parse(data.figure));
    this.join(data.linked);
    this.draw();
  }

  // ---- figures that look at the same place

  join(name) {
    const family = name ? (families.get(name) ?? families.set(name, { members: new Set() }).get(name)) : null;
    if (family === this.family) return;
    this.leave();
    this.family = family;
    family?.members.add(this);
  }

  // With its last member a family forgets where it looked.
  leave() {
    this.family?.members.delete(this);
    if (this.family?.members.size === 0) delete this.family.view;
    this.family = null;
  }

  // Where the family looks, as a piece of layout; another `uirevision` is another map.
  get seen() {
    const view = this.family?.view;
    return view && view.of === (this.figure.layout?.uirevision ?? "kept") ? view.layout : undefined;
  }

  // The user has moved this figure: the others of its family follow.
  look(change) {
    if (!this.family || !Object.keys(change).some((k) => /^([xy]axis\.|scene\.camera)/.test(k))) return;
    const { xaxis, yaxis, scene } = this.plot._fullLayout;
    const all = Object.keys(change).some((k) => k.endsWith("axis.autorange"));
    const axis = ({ range }) => ({ range: [...range], autorange: false });
    const layout = !this.flat ? { scene: { camera: scene._scene.getCamera() } }
      : all ? undefined : { xaxis: axis(xaxis), yaxis: axis(yaxis) };
    this.family.view = layout && { of: this.figure.layout?.uirevision ?? "kept", layout };
    for (const other of this.family.members) if (other !== this && other.figure) other.draw();
  }

  fit() {
    if (!this.plot._fullLayout || !this.plot.offsetWidth) return; // not drawn yet, or in a closed tab
    if (this.narrow === narrow(this.root)) window.Plotly.Plots.resize(this.plot);
    else this.draw(); // the legend moves
  }

  // Take over a new figure; the player stays where it was, in proportion.
  read(figure) {
    const last = this.figure ? this.figure.frames.length - 1 : 0;
    const share = last > 0 ? this.frame / last : 1;
    this.figure = { frames: [], ...decoded(figure) };
    const end = Math.max(this.figure.frames.length - 1, 0);
    this.frame = Math.min(Math.max(figure.layout?.meta?.frame ?? Math.round(share * end), 0), end);
    this.bar.hidden = end === 0;
    this.range.max = end;
    if (end === 0) this.playing = false;
  }

  // The figure at the current frame, in the colours of the page.
  get shown() {
    const { data, layout, frames } = this.figure;
    const now = frames[this.frame] ?? {};
    const traces = [...data];
    (now.data ?? []).forEach((change, i) => {
      const at = now.traces?.[i] ?? i;
      traces[at] = merged(traces[at], change);
    });
    return [traces.map(named).map(rounded), { uirevision: "kept", dragmode: this.flat ? "pan" : undefined,
      ...merged(merged(layout ?? {}, now.layout), this.seen), template: template(this.root), autosize: true, width: undefined,
      height: undefined }];
  }

  get flat() {
    return !this.figure.data.some(({ type }) => /3d$|surface/.test(type));
  }

  // Draw what is wanted now. While a picture is under way the wishes that come in are one: the last.
  draw() {
    this.stale = true;
    return (this.drawing ??= this.drain().catch((error) => this.fail(error)));
  }

  async drain() {
    const Plotly = await load(this.data.plotly);
    while (this.stale && this.root.isConnected) {
      this.stale = false;
      this.narrow = narrow(this.root);
      this.tell();
      // A scene notes its camera when the button comes up, and goes back to that at every draw: note
      // it now, or a turn still under way would be lost.
      for (const part of Object.values(this.plot._fullLayout ?? {}))
        part?._scene?.saveLayout?.(this.plot.layout);
      const config = this.config;
      await Plotly.react(this.plot, ...this.shown, config);
      if (config !== this.heard) this.hear(); // a plot begun anew has lost its listeners
      this.heard = config;
      this.plot.classList.replace("sslviz-loading", "sslviz-ready");
    }
    this.drawing = null;
  }

  fail(error) {
    this.drawing = null;
    this.plot.classList.replace("sslviz-loading", "sslviz-failed");
    if (!this.plot._fullLayout) this.plot.textContent = `The figure cannot be shown: ${error.message}`;
    console.error(error);
  }

  // The buttons wanted and no others: plotly's own list has one that sends the data to its makers.
  // The same object for the same kind of figure: another one makes Plotly.react start from nothing.
  get config() {
    const drag = this.figure.layout?.dragmode;
    const kind = this.flat ? ["lasso", "select"].find((mode) => mode === drag) ?? "flat" : "solid";
    const png = { name: "png", title: "Download as PNG", icon: window.Plotly.Icons.camera,
      click: (plot) => this.download(plot) };
    const tools = { flat: ["pan2d", "zoom2d"], lasso: ["pan2d", "zoom2d", "lasso2d", "select2d"],
      select: ["pan2d", "zoom2d", "lasso2d", "select2d"], solid: ["tableRotation", "pan3d"] }[kind];
    const reset = this.flat ? "resetScale2d" : "resetCameraDefault3d";
    if (!this.data.tools) return (this.configs.bare ??= { displayModeBar: false, scrollZoom: false });
    return (this.configs[kind] ??= { displaylogo: false, scrollZoom: true, doubleClick: false,
      plotlyServerURL: "",
      plotGlPixelRatio: Math.max(window.devicePixelRatio, 1), // plotly draws 4 pixels for each
      modeBarButtons: [[...tools, reset, png]] });
  }

  // The page shines through the figure; a picture of it needs the page's colour behind it.
  download(plot) {
    const page = getComputedStyle(this.root).getPropertyValue("--st-background-color").trim();
    const { offsetWidth: width, offsetHeight: height } = plot;
    const layout = { ...plot.layout, paper_bgcolor: page, width, height };
    window.Plotly.downloadImage({ data: plot.data, layout },
      { format: "png", scale: 2, width, height, filename: this.data.name });
  }

  // ---- the player

  tell() {
    const name = this.figure.frames[this.frame]?.name ?? String(this.frame + 1);
    this.range.value = this.frame;
    this.range.setAttribute("aria-valuetext", name);
    this.label.textContent = name;
    this.bar.querySelector("[data-do=play]").hidden = !!this.playing;
    this.bar.querySelector("[data-do=pause]").hidden = !this.playing;
  }

  go(frame) {
    this.frame = Math.min(Math.max(frame, 0), this.figure.frames.length - 1);
    return this.draw();
  }

  async play() {
    const end = () => this.figure.frames.length - 1;
    this.playing = true;
    if (this.frame >= end()) await this.go(0);
    let due = performance.now();
    while (this.playing && this.frame < end() && this.root.isConnected) {
      due = Math.max(due + 1000 / this.speed.value, performance.now()); // never two frames at once
      do await new Promise(requestAnimationFrame); while (performance.now() < due);
      if (this.playing) await this.go(this.frame + 1);
    }
    this.playing = false;
    this.tell();
  }

  // Everything but "play" stops the player; "pause" leaves it where it is.
  player(ask) {
    if (ask === "play") return this.play();
    this.playing = false;
    return this.go({ first: 0, back: this.frame - 1, next: this.frame + 1 }[ask] ?? this.frame);
  }

  // ---- what the user does

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
    this.plot.addEventListener("pointerdown", (e) => {
      this.plot.focus({ preventScroll: true });
      const point = e.target.tagName === "CANVAS" ? this.hovered : null; // of a scene: see click
      const [last, free] = [this.press, this.flat && this.hovered === null];
      const again = last?.free && free && e.timeStamp - last.time < 400 && far(e, last) < 5;
      this.press = { x: e.clientX, y: e.clientY, time: e.timeStamp, down: true, point, free, again };
    }, true);
    this.plot.addEventListener("pointermove", (e) => this.place(e));
    // A wheel over the figure scrolls the page until the user has clicked into it.
    this.plot.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && document.activeElement !== this.plot) e.stopPropagation();
    }, { capture: true, passive: true });
    this.up = (e) => this.release(e);
    this.key = (e) => this.type(e);
    window.addEventListener("pointerup", this.up, true);
    window.addEventListener("keydown", this.key, true); // before Streamlit's own keys (r, c)
  }

  // plotly's own events, once it has made the plot
  hear() {
    const index = (e) => [e.points?.[0]?.customdata].flat()[0];
    this.plot.on("plotly_hover", (e) => this.hover(index(e) ?? null));
    this.plot.on("plotly_unhover", () => this.hover(null));
    this.plot.on("plotly_click", (e) => this.click(index(e)));
    this.plot.on("plotly_relayout", (change) => this.look(change ?? {}));
    this.plot.on("plotly_selected", (e) => {
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
    this.plot.querySelector(".modebar-btn[data-attr=zoom][data-val=reset]")?.click();
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
    else this.plot.dataset.hovered = point; // live.css turns the cursor into a hand
    const tiles = this.data.thumbnails;
    const url = this.hovered === null ? null : tiles?.urls[Math.floor(point / tiles.per_sheet)];
    if (!url) { this.thumb.hidden = true; return; }
    this.sheets ??= new Map();
    if (!this.sheets.has(url)) this.sheets.set(url, kept(url).catch(() => url));
    const sheet = await this.sheets.get(url);
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

  remove() {
    this.playing = false;
    this.leave();
    this.observer.disconnect();
    window.removeEventListener("pointerup", this.up, true);
    window.removeEventListener("keydown", this.key, true);
    window.Plotly?.purge(this.plot);
  }
}
