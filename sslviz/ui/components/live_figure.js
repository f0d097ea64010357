// A plotly figure that is changed in place (Plotly.react). LiveFigure owns the data and the drawing; the
// rest is done by its parts: ColourKey, Player, Thumbnail, PointMarks, Announcer, PointEvents,
// LinkedView, SharedMoment, Toolbar and TouchLabels, whose files live_figure.py puts before this one.
//
// Streamlit calls the default export at the first mount and again, with the same parentElement,
// whenever the data or the theme change.

const WALK_HELP = "Arrow keys go from point to point, Enter selects, a class's key labels";

const figures = new WeakMap(); // parentElement -> LiveFigure

export default function ({ data, parentElement, setTriggerValue }) {
  let figure = figures.get(parentElement);
  if (!figure) figures.set(parentElement, (figure = new LiveFigure(parentElement)));
  figure.events.send = (events) => {
    figure.touch.notice(events.at(-1));
    setTriggerValue("event", events);
  };
  figure.update(readMessage(data));
  // Streamlit also runs the clean-up of a call that a newer one overtook; only a figure that has
  // left the document is thrown away.
  return () => setTimeout(() => parentElement.isConnected || figure.remove());
}

class LiveFigure {
  content = null; // data, layout and frames, as Python sent them
  plots = {}; // "plane" and "scene" -> element
  configs = new Map(); // plot -> the configuration plotly began it with
  drawing = null; // the promise of the picture under way
  outdated = false; // something has changed since it was begun

  constructor(parent) {
    this.root = parent.querySelector(".sslviz-live"); // live_figure.html, which Streamlit has put there
    const find = (part) => this.root.querySelector(`.sslviz-${part}`);
    this.plot = find("plot");
    this.key = new ColourKey(find("key"), () => this.draw());
    this.player = new Player(find("bar"), () => { this.moment.follows = false; return this.draw(); });
    this.thumbnail = new Thumbnail(find("thumb"), this.root);
    this.marks = new PointMarks(find("marks"), this);
    this.announcer = new Announcer(find("said"));
    this.events = new PointEvents(this);
    this.view = new LinkedView(this);
    this.moment = new SharedMoment(this, find("line"));
    this.toolbar = new Toolbar(this);
    this.touch = new TouchLabels(find("touch"), this);
    this.resizes = new ResizeObserver(() => this.fit());
  }

  update(settings) {
    const fresh = settings.figure !== this.settings?.figure; // otherwise the theme or the height changed
    this.settings = settings;
    if (fresh) this.read(JSON.parse(settings.figure));
    if (fresh) this.announcer.tellChange();
    this.marks.read(settings);
    this.take(this.flat ? "plane" : "scene");
    this.plot.style.height = settings.height;
    this.plot.setAttribute("role", settings.selects ? "application" : "figure"); // arrow keys go to points
    this.plot.setAttribute("aria-label", (settings.alt || this.name) + (settings.selects ? `. ${WALK_HELP}` : ""));
    this.view.join(this.linked ?? this.name);
    this.moment.join(settings.film);
    this.draw();
  }

  // Take over a new figure. The player stays where it was, in proportion, or with the one it follows.
  read(content) {
    this.content = { frames: [], ...decodeArrays(content) };
    const { frames } = this.content, last = Math.max(frames.length - 1, 0);
    const kept = this.moment.follows ? this.moment.frameAt(this.moment.group.shared)
      : Math.round(this.player.share * last);
    const { frame, play } = content.layout?.meta ?? {};
    this.player.setFrames(frames.map(({ name }) => name), frame ?? kept);
    if (play) setTimeout(() => this.player.play(), 600); // when the picture has been seen
    this.key.read(this.content);
  }

  // ---- what the parts ask

  get name() { return this.settings.name; }
  get tools() { return this.settings.tools; }
  get selects() { return this.settings.selects; }
  get linked() { return this.settings.linked; }
  get moments() { return this.settings.moments ?? this.content.frames.map((_, i) => i); }
  get revision() { return this.content.layout?.uirevision ?? "kept"; }
  get dragmode() { return this.content.layout?.dragmode; }
  get flat() { return !this.content.data.some(({ type }) => /3d$|surface/.test(type)); }

  onHover(point) {
    this.thumbnail.show(point, this.settings.thumbnails);
    this.marks.hover(point);
  }

  onWalk(point, trace, index) { this.announcer.tellPoint(point, trace, index); }
  onLabel(point, key) { this.announcer.expectLabel(point, key, this.settings.keys); }
  onKey({ key }) { return this.player.press(key); }
  onMove() { this.marks.draw(); }
  onReset() { this.view.reset(); }

  onLook(change) {
    this.view.look(change);
    this.marks.draw();
  }

  // ---- the plots: a plane and a scene each keep one, and the one not wanted waits: to build a scene
  // anew takes longer than all the rest of a change

  take(kind) {
    const before = this.plot;
    if (before === this.plots[kind]) return;
    this.plot = this.events.plot = this.plots[kind] ?? this.make(kind);
    before.replaceWith(this.plot);
    this.events.hover(null);
  }

  make(kind) {
    const first = Object.keys(this.plots).length === 0;
    const plot = (this.plots[kind] = first ? this.plot : this.plot.cloneNode(false));
    plot.className = "sslviz-plot sslviz-loading";
    this.resizes.observe(plot);
    this.events.attach(plot);
    plot.addEventListener("pointermove", (e) => this.thumbnail.follow(e));
    return plot;
  }

  // The points of the plane in a scene, drawn when the browser has nothing else to do: the first step
  // from the plane into space is then not the slowest of all.
  prepareScene() {
    if (!this.settings.deep || this.plots.scene || !this.root.isConnected) return;
    const { offsetWidth: width, offsetHeight: height } = this.plot;
    const [traces, { template }] = this.shown;
    const data = traces.filter(({ marker, x }) => marker && x).map(({ mode, marker, x, y }) =>
      ({ type: "scatter3d", mode, marker, x, y, z: x.map(() => 0) }));
    const axis = { visible: false };
    const layout = { template, width, height, scene: { xaxis: axis, yaxis: axis, zaxis: axis } };
    window.Plotly.newPlot(this.make("scene"), data, layout, this.toolbar.of("scene"));
  }

  fit() {
    const { _fullLayout: drawn, offsetWidth, offsetHeight } = this.plot;
    if (!drawn || !offsetWidth) return; // not drawn yet, or in a closed tab
    if (drawn.width === offsetWidth && drawn.height === offsetHeight) return;
    const same = this.narrow === isNarrow(this.root) && this.presented === isPresented(this.root);
    if (same) window.Plotly.Plots.resize(this.plot).then(() => { this.moment.mark(); this.marks.draw(); });
    else this.draw(); // the legend moves, or words are larger
  }

  // ---- drawing

  // [traces, layout] at the present frame, in the colours of the page.
  get shown() {
    const { data, layout, frames } = this.content;
    const now = frames[this.player.frame] ?? {};
    const traces = [...data];
    (now.data ?? []).forEach((change, i) => {
      const at = now.traces?.[i] ?? i;
      traces[at] = merge(traces[at], change);
    });
    const wanted = [now.layout, ...this.view.layouts].reduce(merge, layout ?? {});
    const shaped = shapeClasses(traces, classKey(layout), this.settings.shapes);
    const painted = shaped.map((trace) => inkTrace(outlineCircles(nameColours(trace)), this.root));
    return [this.key.apply(painted),
      { uirevision: "kept", dragmode: this.flat ? "pan" : undefined, ...wanted, ...(this.key.replaces && { showlegend: false }),
        ...(!this.tools && { modebar: { orientation: "h" } }), // no legend beside it
        template: pageTemplate(this.root), autosize: true, width: undefined, height: undefined }];
  }

  // All frames as plotly's own player takes them, in the colours of the page.
  get framesToSave() {
    const { data, frames, layout } = this.content;
    const shaped = (trace) => shapeClasses([trace], classKey(layout), this.settings.shapes)[0];
    const painted = (trace) => inkTrace(outlineCircles(nameColours(shaped(trace))), this.root);
    return frames.map(({ name, data: changes = [], traces = changes.map((_, i) => i), layout }, i) => ({
      name: String(name ?? i), traces, layout,
      data: changes.map((change, j) => painted(merge(data[traces[j]], change))) }));
  }

  // Draw what is wanted now. Changes that come in while a picture is under way are drawn together.
  draw() {
    this.outdated = true;
    return (this.drawing ??= this.drawAll().catch((error) => this.fail(error)));
  }

  async drawAll() {
    const Plotly = await loadPlotly(this.settings.plotly);
    while (this.outdated && this.root.isConnected) {
      this.outdated = false;
      this.narrow = isNarrow(this.root);
      this.presented = isPresented(this.root);
      this.player.show();
      this.moment.lead();
      showNumbersAt(this.content.layout?.meta?.numbers, this.player.frame, this.name);
      const { plot, toolbar: { config } } = this;
      // A scene notes its camera when the button comes up, and goes back to that at every draw: note
      // it now, or a turn still under way would be lost.
      for (const part of Object.values(plot._fullLayout ?? {})) part?._scene?.saveLayout?.(plot.layout);
      await Plotly.react(plot, ...this.shown, config);
      if (config !== this.configs.get(plot)) this.events.listen(plot); // begun anew it has lost its listeners
      this.configs.set(plot, config);
      plot.classList.replace("sslviz-loading", "sslviz-ready");
      this.moment.mark();
      this.marks.draw();
    }
    this.drawing = null;
    if (this.settings.deep && !this.plots.scene) (window.requestIdleCallback ?? setTimeout)(() => this.prepareScene());
  }

  fail(error) {
    this.drawing = null;
    this.plot.classList.replace("sslviz-loading", "sslviz-failed");
    if (!this.plot._fullLayout) this.plot.textContent = `The figure cannot be shown: ${error.message}`;
    console.error(error);
  }

  remove() {
    this.player.stop();
    this.view.leave();
    this.moment.leave();
    this.events.remove();
    this.resizes.disconnect();
    for (const plot of Object.values(this.plots)) window.Plotly?.purge(plot);
  }
}
