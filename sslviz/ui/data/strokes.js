// The points painted so far, stroke by stroke. canvas.py puts it before canvas.js.
//
// They are integers, x y class x y class …, as data/drawings.py reads them, and are stored in the
// browser: those of this tab, or else of the last tab that had some.

const STORAGE_KEY = "sslviz-drawing";
const STORES = ["sessionStorage", "localStorage"]; // either may be forbidden, or full
const UNDO_STEPS = 50;

class Drawing {
  past = []; // what undo leads back to
  tool = { brush: "spray", painter: "spray", colour: 0, size: 260, density: 6 }; // painter: the last brush that was no eraser

  constructor() {
    this.points = this.load();
  }

  load() {
    for (const store of STORES) {
      try {
        const points = JSON.parse(window[store].getItem(STORAGE_KEY));
        if (Array.isArray(points) && points.length % 3 === 0 && points.every(Number.isInteger)) return points;
      } catch {}
    }
    return [];
  }

  store() {
    for (const store of STORES) {
      try { window[store].setItem(STORAGE_KEY, JSON.stringify(this.points)); } catch {}
    }
  }

  begin() {
    this.past = [...this.past.slice(1 - UNDO_STEPS), this.points];
    this.points = [...this.points];
  }

  end() {
    const before = this.past.at(-1);
    const same = before.length === this.points.length && before.every((v, i) => v === this.points[i]);
    if (same) this.past.pop();
    this.store();
  }

  replace(points) {
    this.begin();
    this.points = [...points];
    this.end();
  }

  undo() {
    this.points = this.past.pop() ?? this.points;
    this.store();
  }

  get size() {
    return this.points.length / 3;
  }

  // How many points each of `count` classes has.
  counts(count) {
    const found = Array(count).fill(0);
    for (let i = 2; i < this.points.length; i += 3) found[this.points[i]] += 1;
    return found;
  }

  // Add a point, unless it lies outside the canvas or on another, or there are too many.
  add([x, y], { span, most }) {
    [x, y] = [Math.round(x), Math.round(y)];
    if (this.size >= most || Math.abs(x) > span[0] || Math.abs(y) > span[1]) return;
    for (let i = 0; i < this.points.length; i += 3)
      if (this.points[i] === x && this.points[i + 1] === y) return;
    this.points.push(x, y, this.tool.colour);
  }

  // Remove the points within `radius` of the segment from one place to another.
  erase([ax, ay], [bx, by], radius) {
    const [dx, dy] = [bx - ax, by - ay];
    const kept = [];
    for (let i = 0; i < this.points.length; i += 3) {
      const [x, y, c] = this.points.slice(i, i + 3);
      const t = Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1), 0), 1);
      if (Math.hypot(ax + t * dx - x, ay + t * dy - y) > radius) kept.push(x, y, c);
    }
    this.points = kept;
  }

  // Number the classes without gaps, as the pages will number and colour them.
  closeGaps() {
    const used = [...new Set(this.points.filter((_, i) => i % 3 === 2))].sort();
    const points = this.points.map((v, i) => (i % 3 === 2 ? used.indexOf(v) : v));
    if (points.some((v, i) => v !== this.points[i])) this.replace(points);
  }

  csv(unit) {
    const rows = [];
    for (let i = 0; i < this.points.length; i += 3) {
      const [x, y, c] = this.points.slice(i, i + 3);
      rows.push(`${x / unit},${y / unit},class ${c + 1}`);
    }
    return ["x,y,class", ...rows, ""].join("\n");
  }
}
