// The buttons above a figure, as plotly's configuration.

// `figure` is asked for flat, tools, dragmode and selects, and told of `onReset()`.
class Toolbar {
  configs = {}; // by the kind of figure

  constructor(figure) {
    this.figure = figure;
  }

  // The same object for the same kind of figure: another one makes Plotly.react start from nothing.
  get config() {
    const { tools, flat, dragmode, selects } = this.figure;
    if (!tools) return this.of("chart");
    if (!flat) return this.of("scene");
    return this.of(selects || ["lasso", "select"].includes(dragmode) ? "selection" : "plane");
  }

  of(kind) {
    return (this.configs[kind] ??= this.make(kind));
  }

  // The buttons wanted and no others: plotly's own list has one that sends the data to its makers.
  make(kind) {
    const { home } = window.Plotly.Icons;
    const plane = ["pan2d", "zoom2d"];
    const drags = { plane, scene: ["tableRotation", "pan3d"] }[kind] ?? [...plane, "lasso2d", "select2d"];
    const all = { name: "whole", title: "All of it", icon: home, attr: "zoom", val: "reset",
      click: () => this.figure.onReset() };
    const shared = { displaylogo: false, plotlyServerURL: "" };
    if (kind === "chart") return { ...shared, scrollZoom: false, modeBarButtons: [this.files()] };
    return { ...shared, scrollZoom: true, doubleClick: false,
      plotGlPixelRatio: Math.max(window.devicePixelRatio, 1), // plotly draws 4 pixels for each
      modeBarButtons: [[...drags, kind === "scene" ? "resetCameraDefault3d" : all], this.files()] };
  }

  // Buttons that save the figure in each format.
  files() {
    return Object.entries(FILE_FORMATS).map(([format, letters]) => ({
      name: format, title: `Download as ${format.toUpperCase()}`, icon: letterIcon(letters),
      click: (plot) => saveFigure(this.figure, plot, format) }));
  }
}
