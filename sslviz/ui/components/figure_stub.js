// All that comes with each figure: it waits for the code that preload.js hands over (live_figure.js).
const code = new Promise((resolve) => {
  const look = () => window.sslvizShowFigure && resolve(window.sslvizShowFigure);
  window.addEventListener("sslviz-figure-code", look);
  look();
});

export default function (component) {
  let cleanUp = null, overtaken = false;
  code.then((show) => { if (!overtaken) cleanUp = show(component); });
  return () => { overtaken = true; cleanUp?.(); };
}
