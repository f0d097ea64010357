// Shapes as a second channel beside colour: a marker for each class, the same in every map and above it.

const SHAPES = ["circle", "square", "cross", "x", "triangle-up", "star", "triangle-down", "pentagon"];
// In space plotly has fewer, and draws "x" as a letter that not every font has.
const SHAPES_IN_SPACE = ["circle", "square", "cross", "square-open", "circle-open", "diamond-open"];
const CLASS_GLYPHS = ["●", "■", "✚", "✕", "▲", "★", "▼", "⬟"]; // also of legend.py
const GLYPHS_IN_SPACE = ["●", "■", "✚", "□", "○", "◇"];
const NO_CLASS = "circle";

// The glyph of a class, by its number; more classes than shapes have circles.
function classGlyph(index, count, flat) {
  const glyphs = flat ? CLASS_GLYPHS : GLYPHS_IN_SPACE;
  return count > glyphs.length ? "●" : glyphs[index] ?? "●";
}

// The classes of a trace's points: Python writes the class of every colour of its scale (theme.py).
function classesOf({ marker }) {
  const { color, colorscale, colorbar } = marker ?? {};
  const byColour = colorbar?.title?.text?.split(" ").map(Number);
  return byColour && colorscale && color?.length ? Array.from(color, (number) => byColour[number]) : null;
}

// Traces with the shapes of the classes. Given labels have theirs in white inside the diamond, with
// `all` or without it.
function shapeClasses(traces, key, all) {
  const count = Math.max(key.length, 1);
  const most = (traces.some(({ type }) => type === "scatter3d") ? SHAPES_IN_SPACE : SHAPES).length;
  if (!key.length || count > most) return traces;
  const colours = new Map(key.map(([, colour], i) => [colour, i]));
  const marks = [];
  const shaped = traces.map((trace) => {
    const symbols = trace.type === "scatter3d" ? SHAPES_IN_SPACE : SHAPES;
    const given = trace.name === "given labels" && trace.type !== "scatter3d" && trace.marker?.color;
    if (Array.isArray(given) && given.every((colour) => colours.has(colour)))
      marks.push(innerMarks(trace, given.map((colour) => symbols[colours.get(colour)])));
    const classes = all && trace.mode === "markers" && !trace.marker?.symbol ? classesOf(trace) : null;
    if (!classes) return trace;
    return { ...trace, marker: { ...trace.marker, symbol: classes.map((c) => symbols[c] ?? NO_CLASS) } };
  });
  return [...shaped, ...marks];
}

function innerMarks({ type, x, y, visible, marker }, symbol) {
  return { type, x, y, visible, mode: "markers", hoverinfo: "skip", showlegend: false, name: "shapes of given labels",
    marker: { symbol, size: 0.4 * marker.size, color: "#FFFFFF", line: { width: 0 } } };
}
