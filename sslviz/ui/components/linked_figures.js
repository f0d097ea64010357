// Figures that keep company: they look at the same place, or are at the same moment of a film.
// live_figure.py puts interactions.js before it and live_figure.js after it.

const circles = { place: new Map(), film: new Map() }; // name -> { members, view or moment }

class Company extends Hands {
  circle = {}; // "place" and "film" -> the circle this figure is in
  wholes = 0; // times that all of it was wanted in view

  join(kind, name) {
    const all = circles[kind];
    const circle = name ? (all.get(name) ?? all.set(name, { members: new Set() }).get(name)) : null;
    if (circle === (this.circle[kind] ?? null)) return;
    this.leave(kind);
    this.circle[kind] = circle;
    circle?.members.add(this);
    this.follows &&= kind !== "film";
    if (circle?.moment !== undefined) this.follow(circle.moment); // who comes late goes along
  }

  // With its last member a circle forgets where it was; without its leader all may lead.
  leave(kind) {
    const circle = this.circle[kind];
    circle?.members.delete(this);
    if (kind === "film" && !this.follows) circle?.members.forEach((other) => (other.follows = false));
    if (circle?.members.size === 0) delete circle.view, delete circle.moment;
    this.circle[kind] = null;
  }

  others(kind) {
    return [...(this.circle[kind]?.members ?? [])].filter((other) => other !== this && other.figure);
  }

  // ---- the same place: a figure that is linked to no other has a circle of its own

  // Where its circle looks, as a piece of layout; another `uirevision` is another map.
  get seen() {
    const view = this.circle.place?.view;
    return view && view.of === (this.figure.layout?.uirevision ?? "kept") ? view.layout : undefined;
  }

  // The user has moved this figure: it stays there, and the others follow. plotly itself would go
  // back where a figure gives its axes ranges that equal scales have widened. A camera it keeps.
  look(change) {
    const { place } = this.circle;
    if (!Object.keys(change).some((k) => /^([xy]axis\.|scene\.camera)/.test(k))) return;
    if (!this.flat && !this.data.linked) return;
    const { xaxis, yaxis, scene } = this.plot._fullLayout;
    const axis = ({ range }) => ({ range: [...range], autorange: false });
    const layout = this.flat ? { xaxis: axis(xaxis), yaxis: axis(yaxis) }
      : { scene: { camera: scene._scene.getCamera() } };
    place.view = { of: this.figure.layout?.uirevision ?? "kept", layout };
    for (const other of this.others("place")) other.draw();
  }

  // All of it in view again, as the figure itself has it.
  whole() {
    delete this.circle.place.view;
    for (const one of [this, ...this.others("place")]) {
      one.wholes += 1;
      one.draw();
    }
  }

  // A name of the view: with another one plotly forgets what the user has moved.
  get viewed() {
    const uirevision = `${this.figure.layout?.uirevision ?? "kept"}:${this.wholes}`;
    return this.flat ? { xaxis: { uirevision }, yaxis: { uirevision } } : {};
  }

  // ---- the same moment

  // The moments of the frames; their numbers where Python has not said.
  get moments() {
    return this.data.moments ?? this.figure.frames.map((_, i) => i);
  }

  // A player is at a frame: the others of the film go to the same moment.
  lead() {
    const { film } = this.circle;
    if (!film || this.figure.frames.length < 2 || this.follows) return;
    const moment = this.moments[this.frame] ?? null;
    if (moment === film.moment) return;
    film.moment = moment;
    for (const other of this.others("film")) other.follow(moment);
  }

  // Players go to their last frame up to then, charts draw a line there.
  follow(moment) {
    if (this.figure.frames.length < 2) return this.mark();
    const frame = this.at(moment);
    this.follows = true; // it does not lead until the user moves it
    if (frame === this.frame) return;
    this.playing = false;
    this.go(frame, true);
  }

  // The last frame up to a moment.
  at(moment) {
    const { moments } = this;
    if (moment === null) return moments.length - 1;
    return moments.reduce((best, m, i) => (m !== null && m <= moment ? i : best), 0);
  }

  // A line at the film's moment, over a chart of what went on in time.
  mark() {
    const { moment } = this.circle.film ?? {};
    const { xaxis, _size: box } = this.plot._fullLayout ?? {};
    const still = (this.figure?.frames.length ?? 0) < 2;
    const x = still && typeof moment === "number" && xaxis ? xaxis.d2p(moment) : NaN;
    this.line.hidden = !(x >= 0 && x <= xaxis._length);
    if (this.line.hidden) return;
    Object.assign(this.line.style, { transform: `translateX(${xaxis._offset + x}px)`,
      top: `${this.plot.offsetTop + box.t}px`, height: `${box.h}px` });
  }
}

