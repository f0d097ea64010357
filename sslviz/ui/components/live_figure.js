// A plotly figure that is changed in place (Plotly.react), with a player for its frames. live_figure.py puts
// plotly_setup.js, interactions.js and linked_figures.js before it.
//
// Streamlit calls the default export at the first mount and again, with the same parentElement,
// whenever the data or the theme change.

const figures = new WeakMap(); // parentElement -> Live

export default function ({ data, parentElement, setTriggerValue }) {
  let live = figures.get(parentElement);
  if (!live) figures.set(parentElement, (live = new Live(parentElement)));
  live.send = (events) => setTriggerValue("event", events);
  live.update(data);
  // Streamlit also runs the clean-up of a call that a newer one overtook; only a figure that has
  // left the document is thrown away.
  return () => setTimeout(() => parentElement.isConnected || live.remove());
}

class Live extends Company {
  constructor(parent) {
    super();
    this.root = parent.querySelector(".sslviz-live"); // live_figure.html, which Streamlit has put there
    const [names, plot, bar, thumb, line] = this.root.children;
    Object.assign(this, { names, plot, bar, thumb, line, log: [], frame: 0, configs: {}, hovered: null, drawing: null });
    [this.range, this.label, this.speed] = ["input", "output", "select"].map((t) => bar.querySelector(t));
    this.observer = new ResizeObserver(() => this.fit());
    this.plots = {}; // of a plane and of a space
    this.heard = new Map(); // plot -> the configuration it was begun with
    this.listen();
  }

  update(data) {
    const fresh = data.figure !== this.data?.figure; // otherwise the theme or the height changed
    this.data = data;
    if (fresh) this.read(JSON.parse(data.figure));
    this.take(this.flat ? "plane" : "space");
    this.plot.style.height = `min(${data.height}px, 100vw)`;
    this.plot.setAttribute("aria-label", data.alt || data.name);
    this.join("place", data.linked ?? data.name);
    this.join("film", data.film);
    this.draw();
  }

  // A plane and a space each keep a plot of their own, and the one not wanted rests: to build a
  // scene anew takes longer than all the rest of a change.
  take(kind) {
    const before = this.plot;
    if (before === this.plots[kind]) return;
    this.plot = this.plots[kind] ?? this.make(kind);
    before.replaceWith(this.plot);
    this.hover(null);
  }

  make(kind) {
    const first = Object.keys(this.plots).length === 0;
    const plot = (this.plots[kind] = first ? this.plot : this.plot.cloneNode(false));
    plot.className = "sslviz-plot sslviz-loading";
    this.attend(plot);
    return plot;
  }

  // The same points flat in a scene, drawn at leisure: the first step from the plane into space is
  // then not the slowest of all.
  foresee() {
    if (!this.data.deep || this.plots.space || !this.root.isConnected) return;
    const { offsetWidth: width, offsetHeight: height } = this.plot;
    const [traces, { template }] = this.shown;
    const data = traces.filter(({ marker, x }) => marker && x).map(({ mode, marker, x, y }) =>
      ({ type: "scatter3d", mode, marker, x, y, z: x.map(() => 0) }));
    const axis = { visible: false };
    const layout = { template, width, height, scene: { xaxis: axis, yaxis: axis, zaxis: axis } };
    window.Plotly.newPlot(this.make("space"), data, layout, this.configs.solid ??= this.manner("solid"));
  }

  fit() {
    const { _fullLayout: drawn, offsetWidth, offsetHeight } = this.plot;
    if (!drawn || !offsetWidth) return; // not drawn yet, or in a closed tab
    if (drawn.width === offsetWidth && drawn.height === offsetHeight) return;
    if (this.narrow === narrow(this.root)) window.Plotly.Plots.resize(this.plot).then(() => this.mark());
    else this.draw(); // the legend moves
  }

  // Take over a new figure. The player stays where it was, in proportion, or with the one it follows.
  read(figure) {
    const last = this.figure ? this.figure.frames.length - 1 : 0;
    const share = last > 0 ? this.frame / last : 1;
    this.figure = { frames: [], ...decoded(figure) };
    const end = Math.max(this.figure.frames.length - 1, 0);
    const kept = this.follows ? this.at(this.circle.film.moment) : Math.round(share * end);
    this.frame = Math.min(Math.max(figure.layout?.meta?.frame ?? kept, 0), end);
    this.bar.hidden = end === 0;
    this.range.max = end;
    if (end === 0) this.playing = false;
    this.spell();
  }

  // What the colours mean, above the picture: [name, colour] of each class.
  get entries() {
    const { meta, showlegend } = this.figure.layout ?? {};
    return showlegend === false ? [] : meta?.key ?? [];
  }

  spell() {
    const told = JSON.stringify(this.entries);
    if (told === this.told) return;
    this.told = told;
    this.names.hidden = this.entries.length === 0;
    this.names.replaceChildren(...this.entries.map(([name, color]) => {
      const [entry, dot] = ["li", "i"].map((tag) => document.createElement(tag));
      dot.style.background = color;
      entry.append(dot, name);
      return entry;
    }));
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
    return [traces.map(named).map(rounded).map((trace) => inked(trace, this.root)), { uirevision: "kept", dragmode: this.flat ? "pan" : undefined,
      ...[now.layout, this.viewed, this.seen].reduce(merged, layout ?? {}), template: template(this.root), autosize: true, width: undefined,
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
      const { plot, config } = this;
      for (const part of Object.values(plot._fullLayout ?? {})) part?._scene?.saveLayout?.(plot.layout);
      await Plotly.react(plot, ...this.shown, config);
      if (config !== this.heard.get(plot)) this.hear(plot); // begun anew it has lost its listeners
      this.heard.set(plot, config);
      plot.classList.replace("sslviz-loading", "sslviz-ready");
      this.mark();
    }
    this.drawing = null;
    if (this.data.deep && !this.plots.space) (window.requestIdleCallback ?? setTimeout)(() => this.foresee());
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
    if (!this.data.tools) return (this.configs.bare ??= { displayModeBar: false, scrollZoom: false });
    const drag = this.figure.layout?.dragmode;
    const kind = this.flat ? ["lasso", "select"].find((mode) => mode === drag) ?? "flat" : "solid";
    return (this.configs[kind] ??= this.manner(kind));
  }

  manner(kind) {
    const png = { name: "png", title: "Download as PNG", icon: window.Plotly.Icons.camera,
      click: (plot) => this.download(plot) };
    const flat = ["pan2d", "zoom2d"];
    const tools = { flat, solid: ["tableRotation", "pan3d"] }[kind] ?? [...flat, "lasso2d", "select2d"];
    const whole = { name: "whole", title: "All of it", icon: window.Plotly.Icons.home, attr: "zoom",
      val: "reset", click: () => this.whole() };
    const reset = kind === "solid" ? "resetCameraDefault3d" : whole;
    return { displaylogo: false, scrollZoom: true, doubleClick: false, plotlyServerURL: "",
      plotGlPixelRatio: Math.max(window.devicePixelRatio, 1), // plotly draws 4 pixels for each
      modeBarButtons: [[...tools, reset, png]] };
  }

  // The page shines through the figure; a picture of it needs the page's colour behind it. It does
  // not know the page's own font: measured in that, words would be cut off and overlap.
  download(plot) {
    const page = getComputedStyle(this.root).getPropertyValue("--st-background-color").trim();
    const { offsetWidth: width, offsetHeight: height } = plot;
    const font = { ...plot.layout.font, family: "sans-serif" };
    const layout = { ...plot.layout, font, paper_bgcolor: page, width, height };
    const type = this.flat ? "scatter" : "scatter3d";
    const key = this.entries.map(([name, color]) => ({ type, name, mode: "markers",
      marker: { size: 10, color }, x: [null], y: [null], z: [null] }));
    window.Plotly.downloadImage({ data: [...plot.data, ...key], layout },
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
    this.lead();
  }

  go(frame, follows = false) {
    this.follows = follows;
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

  remove() {
    this.playing = false;
    this.leave("place");
    this.leave("film");
    this.observer.disconnect();
    window.removeEventListener("pointerup", this.up, true);
    window.removeEventListener("keydown", this.key, true);
    for (const plot of Object.values(this.plots)) window.Plotly?.purge(plot);
  }
}
