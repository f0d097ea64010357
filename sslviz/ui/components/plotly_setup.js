// What a figure needs before it can be drawn: plotly.js, its arrays decoded, the colours of the page.
// live_figure.py puts this text before that of the other files; together they are one module.

let plotly = null; // the promise of plotly.js, one for all figures of the document

const fetches = (window.sslvizFetches ??= new Map()); // address -> promise, of all components here

// A file fetched once and then kept by the browser, also across reloads: a promise of the address to use.
function storedUrl(url) {
  if (!fetches.has(url)) {
    const found = fetchAndStore(url);
    fetches.set(url, found);
    found.catch(() => fetches.delete(url));
  }
  return fetches.get(url);
}

// The server says neither how long a file may be kept nor when it changed, so the browser's own
// cache would ask for it at every visit. Cache storage exists on https and localhost only.
async function fetchAndStore(url) {
  if (!window.caches) return url;
  const store = await caches.open("sslviz");
  let found = await store.match(url);
  if (!found) {
    for (const old of await store.keys())
      if (new URL(old.url).pathname === new URL(url, location).pathname) await store.delete(old);
    await store.add(url);
    found = await store.match(url);
  }
  return URL.createObjectURL(await found.blob());
}

const runScript = (src) =>
  new Promise((resolve, reject) => {
    const tag = Object.assign(document.createElement("script"), { src, onload: resolve });
    tag.onerror = () => reject(new Error("plotly.js could not be loaded"));
    document.head.append(tag);
  });

const loadPlotly = (url) =>
  (plotly ??= storedUrl(url).catch(() => url).then(runScript).then(() => window.Plotly));

// What Python sends (figure_message.py): settings in the first line, then the figure, both as JSON.
function readMessage(bytes) {
  const text = new TextDecoder().decode(bytes), end = text.indexOf("\n");
  return { ...JSON.parse(text.slice(0, end)), figure: text.slice(end + 1), plotly: window.sslvizPlotly };
}

const TYPES = { f4: Float32Array, f8: Float64Array, i1: Int8Array, u1: Uint8Array, i2: Int16Array,
  u2: Uint16Array, i4: Int32Array, u4: Uint32Array };

// Plotly decodes {dtype, bdata} at every draw and then takes the array for a new one. Decoded here
// once, what has not changed between two frames is seen to be the same.
function decodeArrays(value) {
  if (Array.isArray(value)) return value.map(decodeArrays);
  if (!value || typeof value !== "object") return value;
  if (typeof value.bdata !== "string")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, decodeArrays(v)]));
  const text = atob(value.bdata);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  const flat = new TYPES[value.dtype](bytes.buffer);
  const shape = String(value.shape ?? flat.length).split(",").map(Number);
  if (shape.length === 1) return flat;
  if (shape.length > 2) return value; // plotly's own decoder knows these
  return Array.from({ length: shape[0] }, (_, i) => flat.subarray(i * shape[1], (i + 1) * shape[1]));
}

// `base` with `change` written over it; neither is touched.
function merge(base, change) {
  const plain = (v) => v && Object.getPrototypeOf(v) === Object.prototype;
  if (!plain(base) || !plain(change)) return change === undefined ? base : change;
  const both = { ...base };
  for (const k of Object.keys(change)) both[k] = merge(base[k], change[k]);
  return both;
}

// Colours given as indices into a colour scale, replaced by the colours themselves. The picture is the
// same and plotly.js draws it three times as fast; plotly.py is fast with the indices only.
function nameColours(trace) {
  const { color, colorscale, cmin, cmax, showscale } = trace.marker ?? {};
  const counts = ArrayBuffer.isView(color) && !/Float/.test(color.constructor.name);
  if (!counts || showscale || cmin !== 0 || cmax !== colorscale?.length - 1) return trace;
  return { ...trace, marker: { ...trace.marker, color: Array.from(color, (i) => colorscale[i]?.[1]) } };
}

// Rims and lines in a colour of the page, which may be light or dark: `meta.ink` names it, e.g. "text-color".
function inkTrace(trace, element) {
  if (!trace.meta?.ink) return trace;
  const color = getComputedStyle(element).getPropertyValue(`--st-${trace.meta.ink}`).trim();
  return merge(trace, trace.marker ? { marker: { line: { color } } } : { line: { color } });
}

// Circles: of lines whose `meta.radius` is a number, x and y are the centres. Frames of many circles are
// sent as centres and radii, a twentieth of the outlines.
function outlineCircles(trace) {
  const radius = trace.meta?.radius;
  if (typeof radius !== "number") return trace;
  const count = trace.x.length;
  const steps = Math.round(Math.min(Math.max(4000 / Math.max(count, 1), 16), 48));
  const outline = (centres, turn) => {
    const line = new Float32Array(count * (steps + 2)).fill(NaN); // a gap after each
    centres.forEach((c, i) => {
      for (let k = 0; k <= steps; k++) line[i * (steps + 2) + k] = c + radius * turn((2 * Math.PI * k) / steps);
    });
    return line;
  };
  return { ...trace, x: outline(trace.x, Math.cos), y: outline(trace.y, Math.sin) };
}

const NARROW = 520; // px: a legend beside the picture would leave it no room

const TOOLBAR_HEIGHT = 200; // px of a figure that has room for upright buttons

const isPresented = (element) => !!element.closest("[data-sslviz-stage]"); // by presenter.js

const isNarrow = (element) => element.offsetWidth < NARROW;

// The colours of the page as a template: whatever the figure itself says wins.
function pageTemplate(element) {
  const below = { orientation: "h", x: 0, y: -0.12, yanchor: "top" }; // of a narrow picture
  const style = getComputedStyle(element);
  const css = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const [text, page, grey, border, grid] = ["text-color", "background-color", "gray-color",
    "border-color", "border-color-light"].map(css);
  const clear = "rgba(0,0,0,0)";
  const font = { color: text, family: css("font") || "sans-serif", size: isPresented(element) ? 20 : 13 };
  const axis = { gridcolor: grid, zerolinecolor: border, linecolor: border, title: { standoff: 8 } };
  const axis3d = { gridcolor: border, zerolinecolor: border, backgroundcolor: clear, color: text,
    showspikes: false };
  return { layout: {
    font, paper_bgcolor: clear, plot_bgcolor: clear, hovermode: "closest",
    margin: { l: 52, r: 12, t: 36, b: 48 }, // automargin would double the time of a draw
    title: { x: 0, xanchor: "left", font: { size: 16 } },
    xaxis: axis, yaxis: axis, scene: { xaxis: axis3d, yaxis: axis3d, zaxis: axis3d },
    legend: { bgcolor: clear, itemsizing: "constant", ...(isNarrow(element) ? below : {}) },
    coloraxis: { colorbar: { outlinewidth: 0 } },
    hoverlabel: { bgcolor: page, bordercolor: border, font, align: "left" },
    modebar: { bgcolor: clear, color: grey, activecolor: text, // upright it leaves room for the legend
      orientation: isNarrow(element) && element.offsetHeight >= TOOLBAR_HEIGHT ? "v" : "h" },
  } };
}
