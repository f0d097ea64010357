// A figure as a file: PNG, SVG, or a page that works alone, with its animation.

const IMAGE_SCALE = 2; // pixels of a downloaded picture for each on screen
const BAR_COLOUR = "#8a93a0"; // of the player of a page, seen on a light and on a dark ground

const FILE_FORMATS = { png: "PNG", svg: "SVG", html: "HTM" }; // and the letters of their buttons

// A sheet of paper with letters, as plotly draws icons: one path.
const STROKES = { P: "M0 0V10H5V5H0", N: "M0 0V10L5 0V10", G: "M5 8V10H0V0H5V5H3", S: "M0 0H5V5H0V10H5",
  V: "M0 10L2.5 0L5 10", H: "M0 0V10M5 0V10M0 5H5", T: "M0 10H5M2.5 10V0", M: "M0 0V10L2.5 5L5 10V0" };
function letterIcon(letters) {
  const paths = [...letters].map((letter, i) =>
    `<path d="${STROKES[letter]}" transform="translate(${2 + 7.5 * i},17) scale(1,-1)"/>`).join("");
  return { svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"
    stroke-width="1.6"><path d="M1 3H23V21H1Z"/>${paths}</svg>` };
}

// `figure` is a LiveFigure, `plot` its element.
async function saveFigure(figure, plot, format) {
  const { offsetWidth: width, offsetHeight: height } = plot;
  const content = figureToSave(figure, plot, width, height);
  if (format !== "html")
    return window.Plotly.downloadImage(content,
      { format, width, height, filename: figure.name, ...(format === "png" && { scale: IMAGE_SCALE }) });
  const library = await (await fetch(await storedUrl(figure.settings.plotly))).text();
  const page = standAlonePage(content, figure.framesToSave, figure.settings.alt || figure.name, library);
  const link = Object.assign(document.createElement("a"),
    { href: URL.createObjectURL(new Blob([page], { type: "text/html" })), download: `${figure.name}.html` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A figure is transparent; its picture needs the page's colour behind it. The picture does not know
// the page's own font: measured in that, words would be cut off and overlap.
function figureToSave({ root, flat, key }, plot, width, height) {
  const [paper_bgcolor, textColour] = ["background", "text"].map((part) =>
    getComputedStyle(root).getPropertyValue(`--st-${part}-color`).trim());
  const font = { ...plot.layout.font, family: "sans-serif" };
  const entries = key.traces(flat ? "scatter" : "scatter3d", textColour);
  const legend = entries.length > 0;
  const layout = { ...plot.layout, font, paper_bgcolor, width, height, ...(legend && { showlegend: true }) };
  const data = legend ? plot.data.map((trace) => ({ ...trace, showlegend: false })) : plot.data;
  return { data: [...data, ...entries], layout };
}

// A page with the figure and plotly.js in it; frames are played with a button and a slider.
function standAlonePage({ data, layout }, frames, title, library) {
  // Typed arrays become lists; "<" is written as an escape, so that no text can end the script.
  const json = (value) => JSON.stringify(value, (_, v) => (ArrayBuffer.isView(v) ? Array.from(v) : v))
    .replaceAll("<", "\\u003c");
  const bar = { bgcolor: BAR_COLOUR, bordercolor: BAR_COLOUR, activebgcolor: BAR_COLOUR, tickcolor: BAR_COLOUR };
  const controls = frames.length ? { sliders: [{ ...bar, x: 0.1, len: 0.86, active: frames.length - 1,
    steps: frames.map(({ name }) => ({
      label: name, method: "animate", args: [[name], { mode: "immediate", frame: { duration: 0 } }] })) }],
    updatemenus: [{ type: "buttons", x: 0.08, xanchor: "right", y: 0, yanchor: "top", pad: { t: 30 }, showactive: false,
      bgcolor: layout.paper_bgcolor, bordercolor: BAR_COLOUR, buttons: [{ label: "Play", method: "animate",
        args: [null, { fromcurrent: false, frame: { duration: 300 }, transition: { duration: 0 } }] }] }] } : {};
  const text = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const full = { ...layout, ...controls, width: undefined, height: undefined, autosize: true };
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${text}</title>
<style>html, body, #figure { height: 100%; margin: 0; background: ${layout.paper_bgcolor}; }</style></head>
<body><div id="figure" role="img" aria-label="${text.replaceAll('"', "&quot;")}"></div>
<script>${library}</script>
<script>Plotly.newPlot("figure", { data: ${json(data)}, layout: ${json(full)}, frames: ${json(frames)},
  config: { responsive: true, displaylogo: false, plotlyServerURL: "" } })</script></body></html>`;
}

