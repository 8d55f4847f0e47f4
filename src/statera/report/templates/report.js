"use strict";
(() => {
  const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));

  // Sorting: each heading is a button; numbers sort by their key, texts alphabetically, absent numbers last.
  const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const sorted = (body, column, way, numeric) => {
    const keyed = all("tr", body).map((row) => {
      const cell = row.cells[column];
      const key = cell.dataset.key;
      return { row, key: key === undefined ? NaN : Number(key), text: cell.textContent };
    });
    const byNumber = (a, b) =>
      Number.isNaN(a.key) || Number.isNaN(b.key) ? Number.isNaN(a.key) - Number.isNaN(b.key) : way * (a.key - b.key);
    const byText = (a, b) => way * words.compare(a.text, b.text);
    keyed.sort(numeric && keyed.some((each) => !Number.isNaN(each.key)) ? byNumber : byText);
    body.append(...keyed.map((each) => each.row));
  };
  const sortable = (table) => {
    const body = table.tBodies[0];
    if (body.rows.length < 2) return;
    const original = all("tr", body);
    const heads = all("thead th", table);
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (before === "descending") return body.append(...original);
        head.setAttribute("aria-sort", before === "ascending" ? "descending" : "ascending");
        sorted(body, column, before === "ascending" ? -1 : 1, head.classList.contains("number"));
      });
    });
  };
  all("figure.table table").forEach(sortable);

  // Searching: rows that contain every word stay visible.
  all("figure.table .search input").forEach((input) => {
    const figure = input.closest("figure");
    const rows = all("tbody tr", figure).map((row) => ({ row, text: row.textContent.toLowerCase() }));
    const output = figure.querySelector(".found");
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const each of rows) {
        const fits = wanted.every((word) => each.text.includes(word));
        each.row.hidden = !fits;
        count += fits;
      }
      output.textContent = wanted.length ? `${count} of ${rows.length} rows` : "";
    });
  });

  // The table of contents highlights the current section; on a narrow screen it starts folded.
  const links = new Map(all(".contents a").map((link) => [link.getAttribute("href").slice(1), link]));
  const places = [...links.keys()].map((name) => document.getElementById(name)).filter(Boolean);
  const mark = () => {
    const past = places.filter((place) => place.getBoundingClientRect().top < innerHeight / 3);
    const here = past.length ? past[past.length - 1] : places[0];
    links.forEach((link, name) => {
      if (here && name === here.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  let asked = false;
  addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; mark(); });
  }, { passive: true });
  mark();
  if (matchMedia("(max-width: 60rem)").matches) all(".contents details").forEach((each) => { each.open = false; });

  // Pictures are drawn when they scroll into view, in the current theme.
  const held = document.getElementById("themes");
  const themes = held && JSON.parse(held.textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
  };
  const pictures = all(".picture .canvas").map((place) => {
    const source = place.querySelector("script");
    const spec = JSON.parse(source.textContent);
    source.remove();
    place.classList.add("waiting");
    return { place, spec, shown: "" };
  });
  const draw = async (picture, mode) => {
    if (picture.shown === mode) return;
    picture.shown = mode;
    const options = {
      mode: "vega-lite", actions: false, renderer: "svg", ast: true, defaultStyle: false,
      tooltip: { disableDefaultStyle: true }, config: { ...themes[mode], aria: false },
    };
    try {
      // Vega would set a role and a label of its own: with `aria: false` those of the figure apply.
      const made = await vegaEmbed(picture.place.firstElementChild, picture.spec, options);
      picture.place.classList.remove("waiting");
      picture.place.dataset.drawn = mode;
      picture.view = made.view;
    } catch (error) {
      picture.place.textContent = picture.place.getAttribute("aria-label");
      picture.place.classList.remove("waiting");
      console.error(error);
    }
  };
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const picture = pictures.find((each) => each.place === entry.target);
      picture.near = entry.isIntersecting;
      if (picture.near) draw(picture, theme());
    }
  }, { rootMargin: "600px" });
  pictures.forEach((picture) => near.observe(picture.place));
  const redraw = (mode) => Promise.all(pictures.filter((each) => each.near || each.shown).map((each) => draw(each, mode)));
  dark.addEventListener("change", () => redraw(theme()));
  // For printing, all pictures are drawn on white.
  addEventListener("beforeprint", () => pictures.forEach((picture) => draw(picture, "light")));
  addEventListener("afterprint", () => redraw(theme()));

  const button = document.getElementById("theme");
  const modes = ["auto", "light", "dark"];
  button.hidden = false;
  button.addEventListener("click", () => {
    const root = document.documentElement;
    root.dataset.theme = modes[(modes.indexOf(root.dataset.theme) + 1) % modes.length];
    button.textContent = `Theme: ${root.dataset.theme === "auto" ? "automatic" : root.dataset.theme}`;
    redraw(theme());
  });
})();
