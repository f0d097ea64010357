// A canvas to paint points on. canvas.py puts strokes.js before it.

const CHAIN_GAP = 120; // thousandths of a unit between the points of a stroke of single points
const REST_TIME = 180; // ms of rest that spray as many points as a move by one radius
const TICK = 40; // ms between two steps of a brush that rests

const boards = new WeakMap(); // parentElement -> Board

export default function ({ data, parentElement, setTriggerValue }) {
  let board = boards.get(parentElement);
  if (!board) boards.set(parentElement, (board = new Board(parentElement, data)));
  board.send = (points) => setTriggerValue("use", points);
  board.update(data);
  return () => setTimeout(() => parentElement.isConnected || board.remove());
}

// Draw points on a canvas of any size, its centre at the origin; those before index `from` are there.
function drawDots(canvas, points, { span, colours }, radius, from = 0) {
  const ratio = Math.max(window.devicePixelRatio, 1);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.round(side * ratio));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const ink = canvas.getContext("2d");
  const scale = width / (2 * span[0]);
  ink.setTransform(1, 0, 0, 1, 0, 0);
  if (from === 0) ink.clearRect(0, 0, width, height);
  ink.setTransform(scale, 0, 0, -scale, width / 2, height / 2);
  for (let i = from; i < points.length; i += 3) {
    ink.fillStyle = colours[points[i + 2]];
    ink.beginPath();
    ink.arc(points[i], points[i + 1], radius, 0, 2 * Math.PI);
    ink.fill();
  }
}

class Board {
  constructor(parent, { colours }) {
    this.root = parent.querySelector(".sslviz-draw"); // canvas.html, which Streamlit has put there
    this.drawing = window.sslvizDrawing ??= new Drawing(); // outlives this canvas
    const find = (what) => this.root.querySelector(what);
    [this.canvas, this.ring, this.hint, this.status, this.classes, this.starts] =
      ["canvas", "i", "p", "output", ".sslviz-draw-classes", ".sslviz-draw-starts"].map(find);
    colours.forEach((colour, i) => {
      const label = document.createElement("label");
      label.style.setProperty("--colour", colour);
      label.innerHTML = `<input type="radio" name="sslviz-class" value="${i}" aria-label="Class ${i + 1}"><span>${i + 1}</span>`;
      this.classes.append(label);
    });
    this.listen();
    this.showTools();
  }

  update(data) {
    this.data = data;
    const buttons = Object.entries(data.starts).map(([name, points]) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.append(document.createElement("canvas"), name);
      button.onclick = () => { this.drawing.replace(points); this.draw(); };
      return button;
    });
    this.starts.replaceChildren(this.starts.firstChild, ...buttons);
    this.preview();
    this.draw();
  }

  preview() {
    const { data } = this;
    this.starts.querySelectorAll("canvas").forEach((canvas, i) => {
      drawDots(canvas, Object.values(data.starts)[i], data, data.span[0] / 32);
    });
  }

  listen() {
    const { root, canvas } = this;
    root.addEventListener("click", (e) => this.act(e.target.closest("button")?.dataset.do));
    this.classes.addEventListener("click", ({ target }) => target.value && this.pickColour(+target.value));
    root.querySelector(".sslviz-draw-brushes").addEventListener("input", ({ target }) => this.set({ brush: target.value }));
    for (const name of ["size", "density"])
      this.field(name).addEventListener("input", ({ target }) => this.set({ [name]: +target.value }));
    canvas.addEventListener("pointerdown", (e) => this.press(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    for (const type of ["pointerup", "pointercancel"])
      canvas.addEventListener(type, (e) => this.release(e));
    canvas.addEventListener("pointerleave", () => { this.cursor = null; this.draw(); });
    this.key = (e) => this.type(e);
    window.addEventListener("keydown", this.key, true);
    this.observer = new ResizeObserver(() => { this.preview(); this.draw(); });
    this.observer.observe(canvas);
  }

  remove() {
    this.release({ pointerId: this.stroke?.id });
    this.observer.disconnect();
    window.removeEventListener("keydown", this.key, true);
  }

  // ---- tools

  field(name) {
    return this.root.querySelector(`input[name=${name}]`);
  }

  // Let the controls show the tool of the drawing.
  showTools() {
    const { brush, colour, size, density } = this.drawing.tool;
    for (const [name, value] of [["sslviz-brush", brush], ["sslviz-class", colour]])
      this.root.querySelector(`input[name=${name}][value="${value}"]`).checked = true;
    Object.assign(this.field("size"), { value: size, disabled: brush === "point" });
    Object.assign(this.field("density"), { value: density, disabled: brush !== "spray" });
  }

  set(change) {
    const tool = { ...this.drawing.tool, ...change };
    this.drawing.tool = { ...tool, painter: tool.brush === "erase" ? tool.painter : tool.brush };
    this.showTools();
    this.draw();
  }

  // Choosing a colour ends erasing.
  pickColour(colour) {
    this.set({ colour, brush: this.drawing.tool.painter });
  }

  type(e) {
    if (!this.root.isConnected) return;
    const held = e.ctrlKey || e.metaKey;
    if (!held && !e.altKey && +e.key >= 1 && +e.key <= this.data.colours.length) this.pickColour(+e.key - 1);
    else if (held && e.key === "z") this.act("undo");
    else return;
    e.preventDefault();
    e.stopImmediatePropagation();
  }

  act(ask) {
    if (this.stroke) return;
    if (ask === "undo") this.drawing.undo();
    if (ask === "clear") this.drawing.replace([]);
    if (ask === "csv") this.save();
    if (ask === "use") {
      this.drawing.closeGaps();
      this.send(this.drawing.points);
    }
    if (ask) this.draw();
  }

  save() {
    const href = URL.createObjectURL(new Blob([this.drawing.csv(this.data.unit)], { type: "text/csv" }));
    Object.assign(document.createElement("a"), { href, download: "drawing.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  // ---- strokes

  place({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const scale = (2 * this.data.span[0]) / box.width;
    return [(clientX - box.left - box.width / 2) * scale, (box.top + box.height / 2 - clientY) * scale];
  }

  press(e) {
    if (this.stroke || e.button !== 0) return; // a second finger, another button
    this.canvas.setPointerCapture(e.pointerId);
    this.drawing.begin();
    const at = this.place(e);
    const timer = setInterval(() => this.paint(this.stroke.at), TICK);
    this.stroke = { id: e.pointerId, at, last: null, time: performance.now(), due: this.drawing.tool.density, timer };
    this.paint(at);
  }

  move(e) {
    this.cursor = this.place(e);
    if (this.stroke?.id === e.pointerId)
      for (const part of e.getCoalescedEvents?.() ?? [e]) this.paint(this.place(part));
    this.draw();
  }

  release(e) {
    if (!this.stroke || this.stroke.id !== e.pointerId) return;
    clearInterval(this.stroke.timer);
    this.stroke = null;
    if (e.pointerType !== "mouse") this.cursor = null; // a finger has no place when it is lifted
    this.drawing.end();
    this.draw();
  }

  // Move the brush to a place: spray evenly along the path and at rest, set single points, or erase.
  paint(to) {
    const { stroke, drawing, data } = this;
    const { brush, size, density } = drawing.tool;
    const from = stroke.at, now = performance.now();
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const along = (t) => from.map((v, i) => v + t * (to[i] - v));
    if (brush === "erase") drawing.erase(from, to, size);
    if (brush === "spray") {
      stroke.due += density * (length / size + Math.min(now - stroke.time, 2 * TICK) / REST_TIME);
      for (; stroke.due >= 1; stroke.due--) {
        const [x, y] = along(Math.random());
        const [angle, radius] = [2 * Math.PI * Math.random(), size * Math.sqrt(Math.random())];
        drawing.add([x + radius * Math.cos(angle), y + radius * Math.sin(angle)], data);
      }
    }
    if (brush === "point") {
      const isFar = (place) => !stroke.last || Math.hypot(place[0] - stroke.last[0], place[1] - stroke.last[1]) >= CHAIN_GAP;
      const steps = Math.max(Math.ceil(length / 10), 1);
      for (let i = 0; i <= steps; i++)
        if (isFar(along(i / steps))) drawing.add((stroke.last = along(i / steps)), data);
    }
    Object.assign(stroke, { at: to, time: now });
    this.draw();
  }

  // ---- drawing

  draw() {
    this.due ??= requestAnimationFrame(() => { this.due = null; if (this.root.isConnected) this.show(); });
  }

  show() {
    const { drawing, data, root, canvas } = this;
    const [{ points }, width] = [drawing, canvas.clientWidth];
    const more = this.seen?.points === points && this.seen.width === width && this.seen.length <= points.length;
    const radius = (Math.max(2.2, width / 220) * 2 * data.span[0]) / width;
    drawDots(canvas, points, data, radius, more ? this.seen.length : 0);
    this.seen = { points, width, length: points.length };
    this.showBrush();
    const counts = drawing.counts(data.colours.length);
    this.classes.querySelectorAll("label").forEach((label, i) => { label.title = `${counts[i]} points; key ${i + 1}`; });
    const missing = this.missing(counts);
    this.hint.hidden = drawing.size > 0;
    this.status.textContent = missing ?? this.summary(counts);
    const button = (name) => root.querySelector(`[data-do=${name}]`);
    button("use").disabled = missing !== null;
    button("csv").disabled = button("clear").disabled = drawing.size === 0;
    button("undo").disabled = drawing.past.length === 0;
  }

  // A ring at the cursor, as wide as the brush.
  showBrush() {
    this.ring.hidden = !this.cursor;
    if (!this.cursor) return;
    const { brush, size, colour } = this.drawing.tool;
    const { span, colours } = this.data;
    const scale = this.canvas.clientWidth / (2 * span[0]);
    const radius = brush === "point" ? 5 : size * scale;
    const [x, y] = [(this.cursor[0] + span[0]) * scale - radius, (span[1] - this.cursor[1]) * scale - radius];
    Object.assign(this.ring.style, { width: `${2 * radius}px`, height: `${2 * radius}px`,
      transform: `translate(${x}px, ${y}px)`, borderColor: brush === "erase" ? "currentColor" : colours[colour] });
  }

  missing(counts) {
    const { drawing, data } = this;
    if (drawing.size === 0) return "Nothing painted yet.";
    if (counts.filter(Boolean).length < 2) return "Paint with a second colour, too: two classes are needed.";
    if (drawing.size < data.fewest) return `A few more points, please: at least ${data.fewest}.`;
    return null;
  }

  summary(counts) {
    const { size } = this.drawing, { most } = this.data;
    const points = `${size.toLocaleString("en")} points in ${counts.filter(Boolean).length} classes.`;
    return size < most ? points : `${points} No more are possible: erase some to go on.`;
  }
}
