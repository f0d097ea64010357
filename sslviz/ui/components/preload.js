// Once for every page, after the page's own scripts: plotly.js is fetched, and the code of figures is
// handed to figure_stub.js. Python sends that code as data, so that it is sent only once.
export default ({ data }) => {
  storedUrl(data.plotly).catch(() => {});
  window.sslvizDragUpdates ??= new DragUpdates();
  window.sslvizHistory ??= new BrowserHistory();
  window.sslvizSkipLink ??= new SkipLink();
  window.sslvizButtons ??= new PageButtons(window.sslvizHistory, new Presenter());
  window.sslvizRoles ??= new PageRoles();
  window.sslvizPhoneBar ??= new PhoneBar();
  if (window.sslvizPlotly) return; // handed over before
  window.sslvizPlotly = data.plotly;
  const address = URL.createObjectURL(new Blob([data.code], { type: "text/javascript" }));
  import(address).then((figures) => {
    window.sslvizShowFigure = figures.default;
    window.dispatchEvent(new Event("sslviz-figure-code"));
  });
};
