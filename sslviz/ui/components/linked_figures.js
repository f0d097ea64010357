// Figures linked by a name: they look at the same place, or are at the same moment of a recording.

// Members by the name of their group, and what the group shares; a group ends with its last member.
class Groups {
  byName = new Map();

  join(name, member) {
    if (!name) return null;
    if (!this.byName.has(name)) this.byName.set(name, { name, members: new Set(), shared: undefined });
    const group = this.byName.get(name);
    group.members.add(member);
    return group;
  }

  leave(group, member) {
    group?.members.delete(member);
    if (group?.members.size === 0) this.byName.delete(group.name);
  }
}

const viewGroups = new Groups(); // shared: { revision, layout }
const momentGroups = new Groups(); // shared: a number, or null for the end

// The part of the plane, or the camera, that the user has chosen; a figure linked to no other has a
// group of its own. `figure` is asked for flat, linked, revision and plot, and to draw().
class LinkedView {
  group = null;
  resets = 0; // times that all of it was wanted in view

  constructor(figure) {
    this.figure = figure;
  }

  join(name) {
    if (name === this.group?.name) return;
    this.leave();
    this.group = viewGroups.join(name, this);
  }

  leave() {
    viewGroups.leave(this.group, this);
    this.group = null;
  }

  // Pieces of layout: where the group looks, and a name of the view. With another name plotly forgets
  // what the user has moved; another `revision` is another map, to which the view does not belong.
  get layouts() {
    const { flat, revision } = this.figure;
    const view = this.group?.shared;
    const uirevision = `${revision}:${this.resets}`;
    return [flat ? { xaxis: { uirevision }, yaxis: { uirevision } } : {},
      view?.revision === revision ? view.layout : undefined];
  }

  // The user has moved this figure (plotly's description of what changed): it stays there, and the
  // others follow. plotly itself would go back where a figure gives its axes ranges that equal scales
  // have widened. A camera it keeps.
  look(change) {
    const { flat, linked, revision, plot } = this.figure;
    if (!Object.keys(change).some((key) => /^([xy]axis\.|scene\.camera)/.test(key))) return;
    if (!flat && !linked) return;
    const { xaxis, yaxis, scene } = plot._fullLayout;
    const axis = ({ range }) => ({ range: [...range], autorange: false });
    const layout = flat ? { xaxis: axis(xaxis), yaxis: axis(yaxis) } : { scene: { camera: scene._scene.getCamera() } };
    this.group.shared = { revision, layout };
    for (const { figure } of this.group.members) if (figure !== this.figure) figure.draw();
  }

  // All of it in view again, as the figure itself has it.
  reset() {
    this.group.shared = undefined;
    for (const member of this.group.members) {
      member.resets += 1;
      member.figure.draw();
    }
  }
}

// The moment of a recording that several figures show. Players go to their last frame up to it; charts
// draw `line` over it. `figure` is asked for player, moments and plot, and to draw().
class SharedMoment {
  group = null;
  follows = false; // moved by another figure, it leads no more until the user moves it

  constructor(figure, line) {
    Object.assign(this, { figure, line });
  }

  join(name) {
    if ((name ?? undefined) === this.group?.name) return;
    this.leave();
    this.group = momentGroups.join(name, this);
    if (this.group?.shared !== undefined) this.follow(this.group.shared); // one that comes late
  }

  // Without its leader any figure of the group may lead.
  leave() {
    if (!this.follows) this.group?.members.forEach((other) => { other.follows = false; });
    momentGroups.leave(this.group, this);
    Object.assign(this, { group: null, follows: false });
  }

  // The player is at a frame: the other figures go to its moment.
  lead() {
    const { group, figure: { player, moments } } = this;
    if (!group || !player.hasFrames || this.follows) return;
    const moment = moments[player.frame] ?? null;
    if (moment === group.shared) return;
    group.shared = moment;
    for (const other of group.members) if (other !== this) other.follow(moment);
  }

  follow(moment) {
    const { player } = this.figure;
    if (!player.hasFrames) return this.mark();
    this.follows = true;
    const frame = this.frameAt(moment);
    if (frame === player.frame) return;
    player.stop();
    player.set(frame);
    this.figure.draw();
  }

  // The last frame up to a moment.
  frameAt(moment) {
    const { moments } = this.figure;
    if (moment === null) return moments.length - 1;
    return moments.reduce((best, m, i) => (m !== null && m <= moment ? i : best), 0);
  }

  // A line at the moment, over a chart whose x axis is time.
  mark() {
    const { player, plot } = this.figure;
    const { xaxis, _size: box } = plot._fullLayout ?? {};
    const moment = player.hasFrames ? null : this.group?.shared;
    const x = typeof moment === "number" && xaxis ? xaxis.d2p(moment) : NaN;
    this.line.hidden = !(x >= 0 && x <= xaxis._length);
    if (this.line.hidden) return;
    Object.assign(this.line.style, { transform: `translateX(${xaxis._offset + x}px)`,
      top: `${plot.offsetTop + box.t}px`, height: `${box.h}px` });
  }
}

