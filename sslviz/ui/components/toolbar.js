// The buttons above a figure, as plotly's configuration, and the picture to download.

const IMAGE_SCALE = 2; // pixels of a downloaded picture for each on screen

// `figure` is asked for flat, tools, dragmode, key, name and root, and told of `onReset()`.
class Toolbar {
  configs = {}; // by the kind of figure

  constructor(figure) {
    this.figure = figure;
  }

  // The same object for the same kind of figure: another one makes Plotly.react start from nothing.
  get config() {
    const { tools, flat, dragmode } = this.figure;
    if (!tools) return (this.configs.bare ??= { displayModeBar: false, scrollZoom: false });
    return this.of(!flat ? "scene" : ["lasso", "select"].includes(dragmode) ? dragmode : "plane");
  }

  of(kind) {
    return (this.configs[kind] ??= this.make(kind));
  }

  // The buttons wanted and no others: plotly's own list has one that sends the data to its makers.
  make(kind) {
    const { home, camera } = window.Plotly.Icons;
    const plane = ["pan2d", "zoom2d"];
    const drags = { plane, scene: ["tableRotation", "pan3d"] }[kind] ?? [...plane, "lasso2d", "select2d"];
    const all = { name: "whole", title: "All of it", icon: home, attr: "zoom", val: "reset",
      click: () => this.figure.onReset() };
    const image = { name: "png", title: "Download as PNG", icon: camera, click: (plot) => this.download(plot) };
    return { displaylogo: false, scrollZoom: true, doubleClick: false, plotlyServerURL: "",
      plotGlPixelRatio: Math.max(window.devicePixelRatio, 1), // plotly draws 4 pixels for each
      modeBarButtons: [[...drags, kind === "scene" ? "resetCameraDefault3d" : all, image]] };
  }

  // A figure is transparent; its picture needs the page's colour behind it. The picture does not know
  // the page's own font: measured in that, words would be cut off and overlap.
  download(plot) {
    const { root, flat, key, name: filename } = this.figure;
    const [paper_bgcolor, textColour] = ["background", "text"].map((part) =>
      getComputedStyle(root).getPropertyValue(`--st-${part}-color`).trim());
    const { offsetWidth: width, offsetHeight: height } = plot;
    const font = { ...plot.layout.font, family: "sans-serif" };
    const entries = key.traces(flat ? "scatter" : "scatter3d", textColour);
    const legend = entries.length > 0;
    const layout = { ...plot.layout, font, paper_bgcolor, width, height, ...(legend && { showlegend: true }) };
    const data = legend ? plot.data.map((trace) => ({ ...trace, showlegend: false })) : plot.data;
    window.Plotly.downloadImage({ data: [...data, ...entries], layout },
      { format: "png", scale: IMAGE_SCALE, width, height, filename });
  }
}

