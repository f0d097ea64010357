// Marks over the points of a plane, drawn by the browser alone: lines from the point under the cursor to
// its neighbours, and a ring around the point to label next. plotly draws nothing anew for them.

const SVG = "http://www.w3.org/2000/svg";
const NEIGHBOUR_RADIUS = 6, RING_RADIUS = 12; // px

const svgElement = (tag, attributes) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

class PointMarks {
  point = null; // under the cursor
  lists = null; // (n × width) neighbours of every point, nearest first, as one typed array
  url = null;

  // `figure` is asked for flat, plot, and settings: `ring` is a point, `neighbours` the address of the
  // lists with their `width` and the number `shown`.
  constructor(svg, figure) {
    Object.assign(this, { svg, figure });
  }

  // Take over new settings. Lists are fetched once for each address, which names their content.
  async read({ neighbours }) {
    if ((neighbours?.url ?? null) === this.url) return;
    Object.assign(this, { url: neighbours?.url ?? null, lists: null });
    if (!neighbours) return;
    const address = await storedUrl(neighbours.url).catch(() => neighbours.url);
    const bytes = await fetch(address).then((answer) => answer.arrayBuffer()).catch(() => null);
    if (bytes && neighbours.url === this.url) this.lists = new Uint16Array(bytes);
  }

  hover(point) {
    if (point === this.point) return;
    this.point = point;
    this.draw();
  }

  // The neighbours of the point under the cursor.
  get near() {
    const { lists, point, figure: { settings: { neighbours } } } = this;
    if (!lists || point === null) return [];
    const { width, shown } = neighbours;
    return [...lists.subarray(point * width, point * width + Math.min(width, shown))];
  }

  draw() {
    const { svg, point, figure: { flat, plot, settings: { ring } } } = this;
    const { xaxis, yaxis } = plot._fullLayout ?? {};
    const near = this.near, wanted = new Set(near.length ? [point, ...near] : []);
    if (Number.isInteger(ring)) wanted.add(ring);
    if (!flat || !xaxis || !wanted.size) { svg.replaceChildren(); return; }
    Object.assign(svg.style, { left: `${plot.offsetLeft + xaxis._offset}px`, top: `${plot.offsetTop + yaxis._offset}px`,
      width: `${xaxis._length}px`, height: `${yaxis._length}px` });
    const at = placesOf(plot, wanted), from = at.get(point), made = [];
    for (const one of from ? near : []) {
      if (!at.has(one)) continue;
      const [x, y] = at.get(one);
      made.push(svgElement("line", { x1: from[0], y1: from[1], x2: x, y2: y }),
        svgElement("circle", { cx: x, cy: y, r: NEIGHBOUR_RADIUS }));
    }
    if (at.has(ring)) made.push(...this.ring(at.get(ring)));
    svg.replaceChildren(...made);
  }

  ring([cx, cy]) {
    const word = svgElement("text", { x: cx + RING_RADIUS + 4, y: cy + 4 });
    word.textContent = "next";
    return ["sslviz-next-edge", "sslviz-next"].map((name) => svgElement("circle", { cx, cy, r: RING_RADIUS, class: name })).concat(word);
  }
}

// Where some points of a plane are, in pixels from the corner of its axes: Map of point -> [x, y].
function placesOf(plot, points) {
  const { _fullLayout: { xaxis, yaxis }, _fullData: data } = plot, found = new Map();
  for (const { x, y, customdata, visible } of data) {
    if (!customdata || !x || !y || visible !== true) continue;
    for (let i = 0; i < customdata.length; i++) {
      const point = pointIn(customdata[i]);
      if (points.has(point) && !found.has(point)) found.set(point, [xaxis.d2p(x[i]), yaxis.d2p(y[i])]);
    }
  }
  return found;
}

// The point that an entry of `customdata` names: the entry itself, or its first value.
const pointIn = (entry) => (typeof entry === "number" ? entry : entry?.[0]);
