// On a narrow screen: a bar at the bottom that opens the sidebar as a sheet below the picture, at the
// data, at the method, or at the list of pages. The page above is scrolled so that the numbers and the
// picture stay in sight while a control is moved. style.css lays sheet and page out.

const SHEET_SLIDES = 350; // ms until Streamlit's sidebar has come to rest
const SHEETS = { data: "Data", method: "Method", pages: "Pages" };

class PhoneBar {
  sheet = null; // which one is open

  constructor() {
    this.bar = Object.assign(document.createElement("nav"), { className: "sslviz-phone", ariaLabel: "Panels" });
    this.buttons = Object.fromEntries(Object.entries(SHEETS).map(([sheet, text]) => {
      const button = Object.assign(document.createElement("button"),
        { type: "button", textContent: text, onclick: () => this.toggle(sheet) });
      this.bar.append(button);
      return [sheet, button];
    }));
    document.body.append(this.bar);
    // Streamlit closes its sidebar at any press beside it: not for one on the bar or into a picture.
    document.body.addEventListener("mousedown", (e) => {
      if (this.sheet && e.target.closest(".sslviz-live, .sslviz-phone")) e.stopPropagation();
    });
    setInterval(() => this.show(), 250);
  }

  get sidebar() { return document.querySelector("[data-testid=stSidebar]"); }
  get isOpen() { return this.sidebar?.dataset.collapsed === "false"; }
  get controls() { return this.sidebar?.querySelector("[data-testid=stSidebarUserContent]"); }
  // The first line across the sidebar separates the data from the method.
  get border() { return this.controls?.querySelector("hr"); }

  toggle(sheet) {
    const closes = this.isOpen && this.sheet === sheet;
    this.sheet = closes ? null : sheet;
    if (closes || !this.isOpen) {
      const place = closes ? "stSidebarCollapseButton" : "stExpandSidebarButton";
      const found = document.querySelector(`[data-testid=${place}]`);
      (found?.querySelector("button") ?? found)?.click();
    }
    this.show();
    if (!closes) setTimeout(() => this.scroll(sheet), SHEET_SLIDES);
  }

  scroll(sheet) {
    const content = this.sidebar?.querySelector("[data-testid=stSidebarContent]");
    if (!content) return;
    content.scrollTop = 0;
    if (sheet === "method" && this.border)
      content.scrollTop = this.border.getBoundingClientRect().bottom - content.getBoundingClientRect().top;
    const main = document.querySelector("[data-testid=stMain]");
    const first = main?.querySelector("[data-testid=stMetric], .sslviz-live");
    if (sheet === "pages" || !first) return;
    main.scrollTop += first.getBoundingClientRect().top - main.getBoundingClientRect().top - 8;
  }

  show() {
    if (!this.isOpen && this.sheet) setTimeout(() => { if (!this.isOpen) this.sheet = null; }, SHEET_SLIDES);
    this.buttons.data.hidden = !this.controls?.querySelector("[data-testid=stElementContainer]");
    this.buttons.method.hidden = !this.border;
    const first = this.buttons.data.hidden ? "pages" : "data"; // a page without settings has its list only
    const chosen = this.sheet && !this.buttons[this.sheet].hidden ? this.sheet : first;
    document.documentElement.dataset.sheet = this.isOpen ? chosen : "";
    for (const [sheet, button] of Object.entries(this.buttons))
      button.ariaExpanded = String(document.documentElement.dataset.sheet === sheet);
  }
}

