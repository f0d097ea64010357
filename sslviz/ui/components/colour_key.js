// What colours and marks mean, in one row above the picture: the classes, which Python names in
// `layout.meta.key`, then the named traces, each a button that hides its trace. It takes the place of
// plotly's legend, which would be drawn anew with every frame and shows an arbitrary class's colour for a
// trace of many colours. A figure without `meta.key` has plotly's legend.

const GLYPHS = { circle: "●", "circle-open": "○", diamond: "◆", "diamond-open": "◇", square: "■",
  "square-open": "□", star: "★", "star-open": "☆", x: "✕", cross: "✚", "triangle-up": "▲", "triangle-down": "▼", pentagon: "⬟" };

// The glyph and colour of a trace; the colour of the text where its marks have several.
function markOf({ mode = "markers", marker = {}, line = {}, meta }) {
  const lines = !mode.includes("markers");
  const clear = marker.color === "rgba(0,0,0,0)"; // an outline, which is drawn in the colour of its line
  if (!lines && clear) marker = { symbol: `${marker.symbol ?? "circle"}-open`, color: marker.line?.color };
  const symbol = [marker.symbol ?? "circle"].flat()[0];
  const plain = (color) => (typeof color === "string" && !meta?.ink ? color : null);
  return [lines ? "━" : GLYPHS[symbol] ?? "●", plain(lines ? line.color : marker.color) ?? "currentColor"];
}

// Names are written for plotly, with character references; here they are plain text.
const plainName = (name) => name.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code));

// Names and colours of the classes; grey, where it is among them, comes last and is no class.
const classKey = (layout) => (layout?.meta?.key ?? []).filter(([name]) => name !== "undetermined");

class ColourKey {
  entries = []; // { name, glyph, color, trace } of classes, and of traces if `trace` is true
  hidden = new Set(); // names of traces
  replaces = false; // plotly's legend

  constructor(list, onToggle) {
    Object.assign(this, { list, onToggle });
    list.addEventListener("click", (e) => this.toggle(e.target.closest("button")?.dataset.name));
  }

  read({ data, layout }) {
    const { meta, showlegend } = layout ?? {};
    this.replaces = Boolean(meta?.key);
    const count = classKey(layout).length, flat = !data.some(({ type }) => type === "scatter3d");
    const classes = (meta?.key ?? []).map(([name, color], i) =>
      ({ name, glyph: i < count ? classGlyph(i, count, flat) : "●", color }));
    const marked = ({ type = "scatter" }) => /^scatter/.test(type); // not backgrounds and contours
    const named = data.filter((trace) => trace.name && trace.showlegend !== false && marked(trace));
    const marks = named.map((trace) => [trace.name, ...markOf(trace)])
      .map(([name, glyph, color]) => ({ name, glyph, color, trace: true }));
    this.entries = this.replaces && showlegend !== false ? [...classes, ...marks] : [];
    this.write();
  }

  toggle(name) {
    if (!name) return;
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.write();
    this.onToggle();
  }

  // Traces as they are to be drawn, without those the user has hidden.
  apply(traces) {
    if (!this.hidden.size) return traces;
    return traces.map((trace) => (this.hidden.has(trace.name) ? { ...trace, visible: "legendonly" } : trace));
  }

  // The entries as traces without points, for the legend of a downloaded picture.
  traces(type, textColour) {
    return this.entries.filter(({ name }) => !this.hidden.has(name)).map(({ name, glyph, color }) => {
      const symbol = Object.keys(GLYPHS).find((key) => GLYPHS[key] === glyph);
      const paint = color === "currentColor" ? textColour : color;
      const look = symbol ? { mode: "markers", marker: { size: 10, color: paint, symbol } }
        : { mode: "lines", line: { color: paint } };
      return { type, name, showlegend: true, x: [null], y: [null], z: [null], ...look };
    });
  }

  write() {
    const text = JSON.stringify([this.entries, [...this.hidden]]);
    if (text === this.text) return;
    this.text = text;
    this.list.hidden = this.entries.length === 0;
    this.list.replaceChildren(...this.entries.map((entry) => this.item(entry)));
  }

  item({ name, glyph, color, trace }) {
    const [item, mark] = ["li", "i"].map((tag) => document.createElement(tag));
    Object.assign(mark, { textContent: glyph }).style.color = color;
    if (!trace) { item.append(mark, plainName(name)); return item; }
    const shown = !this.hidden.has(name);
    const button = Object.assign(document.createElement("button"), { type: "button", title: shown ? "Hide" : "Show" });
    button.dataset.name = name;
    button.setAttribute("aria-pressed", shown);
    button.append(mark, plainName(name));
    item.append(button);
    return item;
  }
}

