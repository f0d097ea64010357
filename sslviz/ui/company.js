// Figures that keep company: they look at the same place, or are at the same moment of a film.
// live.py puts hands.js before it and live.js after it.

const circles = { place: new Map(), film: new Map() }; // name -> { members, view or moment }

class Company extends Hands {
  circle = {}; // "place" and "film" -> the circle this figure is in

  join(kind, name) {
    const all = circles[kind];
    const circle = name ? (all.get(name) ?? all.set(name, { members: new Set() }).get(name)) : null;
    if (circle === (this.circle[kind] ?? null)) return;
    this.leave(kind);
    this.circle[kind] = circle;
    circle?.members.add(this);
    if (circle?.moment !== undefined) this.follow(circle.moment); // who comes late goes along
  }

  // With its last member a circle forgets where it was.
  leave(kind) {
    const circle = this.circle[kind];
    circle?.members.delete(this);
    if (circle?.members.size === 0) delete circle.view, delete circle.moment;
    this.circle[kind] = null;
  }

  others(kind) {
    return [...(this.circle[kind]?.members ?? [])].filter((other) => other !== this && other.figure);
  }

  // ---- the same place

  // Where its circle looks, as a piece of layout; another `uirevision` is another map.
  get seen() {
    const view = this.circle.place?.view;
    return view && view.of === (this.figure.layout?.uirevision ?? "kept") ? view.layout : undefined;
  }

  // The user has moved this figure: the others follow.
  look(change) {
    const { place } = this.circle;
    if (!place || !Object.keys(change).some((k) => /^([xy]axis\.|scene\.camera)/.test(k))) return;
    const { xaxis, yaxis, scene } = this.plot._fullLayout;
    const all = Object.keys(change).some((k) => k.endsWith("axis.autorange"));
    const axis = ({ range }) => ({ range: [...range], autorange: false });
    const layout = !this.flat ? { scene: { camera: scene._scene.getCamera() } }
      : all ? undefined : { xaxis: axis(xaxis), yaxis: axis(yaxis) };
    place.view = layout && { of: this.figure.layout?.uirevision ?? "kept", layout };
    for (const other of this.others("place")) other.draw();
  }

  // ---- the same moment

  // The moments of the frames; their numbers where Python has not said.
  get moments() {
    return this.data.moments ?? this.figure.frames.map((_, i) => i);
  }

  // A player is at a frame: the others of the film go to the same moment.
  lead() {
    const { film } = this.circle;
    if (!film || this.figure.frames.length < 2 || this.led) return;
    const moment = this.moments[this.frame] ?? null;
    if (moment === film.moment) return;
    film.moment = moment;
    for (const other of this.others("film")) other.follow(moment);
  }

  // Players go to their last frame up to then, charts draw a line there.
  follow(moment) {
    if (this.figure.frames.length < 2) return this.mark();
    const { moments } = this;
    const at = moment === null ? moments.length - 1
      : moments.reduce((best, m, i) => (m !== null && m <= moment ? i : best), 0);
    if (at === this.frame) return;
    this.led = true; // it does not lead while it follows
    this.playing = false;
    this.go(at).finally(() => (this.led = false));
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
      top: `${box.t}px`, height: `${box.h}px` });
  }
}

