// What the user does to the points of a figure, told to Python: clicks, keys and selections.

const CLICK_RADIUS = 5; // px between pressing and releasing the button; beyond it is a drag
const DOUBLE_CLICK = 400; // ms
const EVENTS_SENT = 32; // the last ones, each time: Python takes those it has not seen

let serial = Date.now(); // of events: grows through remounts and reloads, so Python can tell them apart

const distance = (e, { x, y }) => Math.hypot(e.clientX - x, e.clientY - y);
const pointOf = (p) => [p?.customdata].flat()[0];

class PointEvents {
  plot = null; // the plot the user sees
  hovered = null; // the point under the cursor, or that the arrow keys have led to
  walked = false; // by the arrow keys: it stays when the page scrolls, until the picture loses the focus
  press = null; // the last time a button went down
  log = [];
  send = () => {}; // a list of events to Python; Streamlit gives another at every update
  page = new AbortController(); // of what the page hears

  // `figure` is asked for `flat` and told of `onHover(point)`, `onWalk(point, trace, index)`,
  // `onLabel(point, key)`, `onKey(event)`, `onMove()`, `onLook(change)` and `onReset()`; onKey answers
  // whether the key was meant for it.
  constructor(figure) {
    this.figure = figure;
    const options = { capture: true, signal: this.page.signal };
    window.addEventListener("pointerup", (e) => this.release(e), options);
    window.addEventListener("keydown", (e) => this.type(e), options); // before Streamlit's own (r, c)
    window.addEventListener("scroll", () => this.checkHover(), { ...options, passive: true });
  }

  remove() {
    this.page.abort();
  }

  report(kind, { point = null, key = null, points = [] }) {
    serial += 1;
    this.log = [...this.log.slice(1 - EVENTS_SENT), { serial, kind, point, key, points }];
    this.send(this.log);
  }

  // The pointer over a plot; to be called once for each.
  attach(plot) {
    plot.addEventListener("pointerdown", (e) => {
      plot.focus({ preventScroll: true });
      const point = e.target.tagName === "CANVAS" ? this.hovered : null; // of a scene: see click
      const { press: last, figure: { flat } } = this;
      const free = flat && this.hovered === null;
      const double = last?.free && free && e.timeStamp - last.time < DOUBLE_CLICK && distance(e, last) < CLICK_RADIUS;
      this.press = { x: e.clientX, y: e.clientY, time: e.timeStamp, down: true, done: false, point, free, double };
    }, true);
    // A wheel over the figure scrolls the page until the user has clicked into it; a hint says so.
    plot.addEventListener("wheel", (e) => {
      if (e.ctrlKey || document.activeElement === plot) return;
      e.stopPropagation();
      if (this.figure.tools) this.hint(plot);
    }, { capture: true, passive: true });
    plot.addEventListener("pointerleave", ({ clientX: x, clientY: y }) => {
      const { left, right, top, bottom } = plot.getBoundingClientRect();
      const inside = x > left && x < right && y > top && y < bottom; // plotly covers the page during a click
      if (this.hovered !== null && !this.walked && !inside) this.leave();
    });
    plot.addEventListener("blur", () => this.walked && this.leave());
  }

  // Words over the figure for a moment (live_figure.css).
  hint(plot) {
    plot.dataset.hint = "Click here first to zoom with the wheel";
    clearTimeout(this.hinted);
    this.hinted = setTimeout(() => delete plot.dataset.hint, 1500);
  }

  // plotly's own events; to be called whenever plotly has begun a plot anew.
  listen(plot) {
    plot.on("plotly_hover", (e) => this.hover(pointOf(e.points?.[0])));
    plot.on("plotly_unhover", () => this.hover(null));
    plot.on("plotly_click", (e) => this.click(pointOf(e.points?.[0])));
    plot.on("plotly_relayout", (change) => this.figure.onLook(change ?? {}));
    plot.on("plotly_relayouting", () => this.figure.onMove());
    plot.on("plotly_selected", (e) => {
      const points = [...new Set((e?.points ?? []).map(pointOf).filter(Number.isInteger))];
      if (points.length) this.report("select", { points });
      if (e?.selections?.length) window.Plotly.relayout(plot, { selections: [] }); // its outline
    });
  }

  hover(point, walked = false) {
    this.hovered = Number.isInteger(point) ? point : null;
    this.walked = walked;
    if (this.hovered === null) delete this.plot.dataset.hovered;
    else this.plot.dataset.hovered = point; // live_figure.css turns the cursor into a hand
    this.place = this.plot.getBoundingClientRect();
    this.figure.onHover(this.hovered);
  }

  // No point is meant any more.
  leave() {
    window.Plotly.Fx.unhover(this.plot);
    this.hover(null);
  }

  // Without a move of the mouse plotly does not see that the picture has moved away under it: the page
  // was scrolled, or something has appeared above.
  checkHover() {
    if (this.hovered === null || this.walked) return;
    const { left, top } = this.plot.getBoundingClientRect();
    if (Math.hypot(left - this.place.left, top - this.place.top) < 1) return;
    this.leave();
  }

  // A 3-D scene reports a click at every redraw while the button is down, also at the start of a
  // turn, and none if it does not redraw in time: it counts once, when the button comes up where it
  // went down.
  click(point) {
    const { press } = this;
    if (!press || press.done || !Number.isInteger(point)) return;
    if (press.down) { press.point = point; return; }
    press.done = true;
    this.report("click", { point });
  }

  // A double click beside the points shows all of them. plotly's own would do so after any two quick
  // clicks, also on two points, and then report a click on whatever has come under the cursor.
  release(e) {
    const { press } = this;
    if (!press?.down) return;
    press.down = false;
    press.done = press.double || distance(e, press) > CLICK_RADIUS;
    if (press.double && distance(e, press) <= CLICK_RADIUS) this.figure.onReset();
    else if (press.point !== null) this.click(press.point);
  }

  // Arrow keys go from point to point while the picture has the focus, Enter clicks: the way to label
  // without a mouse. The first arrow takes the point nearest to the middle.
  walk(e) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.target !== this.plot || !this.figure.flat || !this.figure.settings.selects) return false;
    if (e.key === "Enter" && this.hovered !== null) {
      this.report("click", { point: this.hovered });
      return true;
    }
    if (!step) return false;
    const places = this.places(), { offsetWidth, offsetHeight } = this.plot;
    const now = places.find(({ point }) => point === this.hovered);
    const from = now ?? { x: offsetWidth / 2, y: offsetHeight / 2 };
    const cost = ({ x, y }) => {
      const [dx, dy] = [x - from.x, y - from.y], along = dx * step[0] + dy * step[1];
      const aside = Math.abs(dx * step[1]) + Math.abs(dy * step[0]);
      return now ? (along > 0.5 ? along + 3 * aside : Infinity) : Math.hypot(dx, dy);
    };
    const next = places.reduce((best, one) => (cost(one) < cost(best) ? one : best), places[0]);
    if (!next || cost(next) === Infinity) return true;
    window.Plotly.Fx.hover(this.plot, [{ curveNumber: next.curve, pointNumber: next.index }]);
    this.hover(next.point, true);
    this.figure.onWalk(next.point, this.plot._fullData[next.curve], next.index);
    return true;
  }

  // Where the points of the picture are, in its pixels.
  places() {
    const { _fullLayout: { xaxis, yaxis }, _fullData: data } = this.plot;
    return data.flatMap(({ x, y, customdata, visible }, curve) => (!customdata || visible !== true ? [] :
      Array.from(customdata, (_, index) => ({ curve, index, point: [customdata[index]].flat()[0],
        x: xaxis.l2p(x[index]) + xaxis._offset, y: yaxis.l2p(y[index]) + yaxis._offset })))
      .filter(({ point, x: px, y: py }) => Number.isInteger(point) && px >= xaxis._offset && py >= yaxis._offset
        && px <= xaxis._offset + xaxis._length && py <= yaxis._offset + yaxis._length));
  }

  type(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.isContentEditable) return;
    const typing = "textarea, select, input:not([type=range], [type=checkbox], [type=radio])";
    if (e.target.matches?.(typing)) return;
    this.checkHover();
    const key = e.key === "Backspace" ? "Delete" : e.key.length === 1 ? e.key.toLowerCase() : e.key;
    const labels = this.hovered !== null && /^(\p{L}|\d|Delete)$/u.test(key);
    if (e.target === this.plot && (this.walk(e) || this.figure.onKey(e))) { /* to a point or frame */ }
    else if (!labels) return;
    else if (!e.repeat) {
      this.figure.onLabel(this.hovered, key);
      this.report("key", { point: this.hovered, key });
    }
    e.preventDefault();
    e.stopImmediatePropagation();
  }
}

