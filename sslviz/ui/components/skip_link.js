// The first stop of the Tab key: a link to the picture, past the navigation and the controls.

class SkipLink {
  constructor() {
    this.link = Object.assign(document.createElement("a"), { className: "sslviz-skip", href: "#stMain",
      textContent: "Skip to the picture" });
    this.link.addEventListener("click", (e) => { e.preventDefault(); this.follow(); });
    document.body.prepend(this.link);
  }

  // The first figure that is in the page and has points to walk through, else the first of all.
  follow() {
    const figures = [...document.querySelectorAll("[data-testid=stMain] .sslviz-plot")].filter((f) => f.offsetParent);
    const figure = figures.find((f) => f.getAttribute("role") === "application") ?? figures[0];
    (figure ?? document.querySelector("[data-testid=stMain]"))?.focus();
    figure?.scrollIntoView({ block: "nearest" });
  }
}
