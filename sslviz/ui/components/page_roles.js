// What Streamlit's own parts lack for screen readers, added to the page they are in.
//
// Its list of pages nests <li> in <div> in <ul>, which is no list: as links in named groups it is valid.
// st.subheader is an <h3>, also right below the title: levels of headings go down by one at a time.

class PageRoles {
  constructor() {
    setInterval(() => this.mend(), 500); // Streamlit draws parts of the page anew at every change
    this.mend();
  }

  mend() {
    this.nameSections(document.querySelector("[data-testid=stSidebarNavItems]"));
    this.levelHeadings(document.querySelectorAll("[data-testid=stMain] :is(h1, h2, h3, h4, h5, h6)"));
  }

  nameSections(list) {
    if (!list || list.role) return;
    list.role = "presentation";
    for (const item of list.querySelectorAll("li")) item.role = "presentation";
    for (const section of list.querySelectorAll(":scope > div")) {
      section.role = "group";
      section.ariaLabel = section.querySelector("header")?.textContent ?? "Pages";
    }
  }

  levelHeadings(headings) {
    let above = 0;
    for (const heading of headings) {
      const own = Number(heading.tagName[1]), level = Math.min(own, above + 1);
      const said = level === own ? null : String(level);
      if (heading.ariaLevel !== said) heading.ariaLevel = said;
      above = level;
    }
  }
}

