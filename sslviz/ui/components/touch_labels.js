// Labels by touch: after a tap on a point of a map its classes appear as buttons below the picture, in
// place of the keys 1, 2, … of a keyboard.

class TouchLabels {
  touched = false; // whether the last press was by a finger

  // `figure` is asked for `selects`, `content` (which names the classes) and `events`.
  constructor(row, figure) {
    Object.assign(this, { row, figure });
    figure.root.addEventListener("pointerdown", (e) => { this.touched = e.pointerType === "touch"; }, true);
    row.addEventListener("click", (e) => {
      const { key } = e.target.closest("button")?.dataset ?? {};
      if (key) figure.events.report("key", { point: this.point, key });
      if (key || e.target.closest("button")) row.hidden = true;
    });
  }

  // An event on its way to Python.
  notice({ kind, point }) {
    const key = this.figure.content.layout?.meta?.key ?? [];
    const classes = key.map(([name, color]) => ({ name, color })).filter(({ name }) => name !== "undetermined");
    if (kind !== "click" || !this.touched || !this.figure.selects || !classes.length) return;
    this.point = point;
    const digits = classes.every(({ name }) => /^\d$/.test(name)); // as class_keys in manual_labels.py
    const choices = classes.slice(0, 10).map(({ name, color }, c) =>
      this.button(plainName(name), digits ? name : String((c + 1) % 10), color));
    const title = Object.assign(document.createElement("span"), { textContent: `Point ${point} is:` });
    this.row.replaceChildren(title, ...choices, this.button("no label", "Delete"), this.button("✕", ""));
    this.row.lastChild.ariaLabel = "Close";
    this.row.hidden = false;
  }

  button(text, key, color) {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.dataset.key = key;
    const dot = Object.assign(document.createElement("i"), { textContent: color ? "●" : "" });
    dot.style.color = color ?? "";
    button.append(dot, text);
    return button;
  }
}

