// Sorting: each heading is a button; numbers sort by their key, texts alphabetically, absent numbers last.
const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const bodies = (table) => Array.from(table.tBodies).filter((body) => !body.classList.contains("group"));
const sorted = (body, column, way, numeric) => {
  const keyed = Array.from(body.rows).map((row) => {
    const cell = row.cells[column];
    const text = cell.textContent;
    // A text that is a number sorts by itself.
    return { row, key: Number(cell.dataset.key ?? (text || NaN)), text };
  });
  const byNumber = (a, b) =>
    Number.isNaN(a.key) || Number.isNaN(b.key) ? Number.isNaN(a.key) - Number.isNaN(b.key) : way * (a.key - b.key);
  const byText = (a, b) => way * words.compare(a.text, b.text);
  keyed.sort(numeric && keyed.some((each) => !Number.isNaN(each.key)) ? byNumber : byText);
  body.append(...keyed.map((each) => each.row));
};
const sortable = (table) => {
  const within = bodies(table);
  // A reader sorts a few rows by eye.
  if (within.every((body) => body.rows.length < 5)) return;
  const original = within.map((body) => Array.from(body.rows));
  const heads = all("thead th", table);
  heads.forEach((head, column) => {
    const inner = made("button", { type: "button" }, ...head.childNodes);
    head.append(inner);
    inner.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      table.dispatchEvent(new Event("rearranged"));
      if (before === "descending") return within.forEach((body, place) => body.append(...original[place]));
      head.setAttribute("aria-sort", before === "ascending" ? "descending" : "ascending");
      const numeric = head.classList.contains("number");
      within.forEach((body) => sorted(body, column, before === "ascending" ? -1 : 1, numeric));
    });
  });
};

// Groups: the heading of a group is a button that folds its rows.
const groupOf = (row) => row.parentElement.previousElementSibling;
const foldGroup = (group, open) => {
  group.querySelector("button").setAttribute("aria-expanded", open);
  group.nextElementSibling.hidden = !open;
};
const foldable = (group) => {
  const head = group.querySelector("th");
  const inner = made("button", { type: "button", "aria-expanded": "true" }, ...head.childNodes);
  head.append(inner);
  inner.addEventListener("click", () => foldGroup(group, inner.getAttribute("aria-expanded") !== "true"));
};

// Searching: rows that contain every word stay visible, also those of folded groups.
const searchable = (input) => {
  const figure = input.closest("figure");
  const table = figure.querySelector("table");
  const groups = all("tbody.group", table);
  const rows = bodies(table).flatMap((body) => Array.from(body.rows));
  // A name that is shown shortened is found by all of it.
  const whole = (row) => row.querySelector(".short")?.title ?? "";
  const texts = rows.map((row) => `${row.textContent} ${whole(row)}`.toLowerCase());
  const output = figure.querySelector(".found");
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    table.dispatchEvent(new Event("rearranged"));
    let count = 0;
    rows.forEach((row, place) => {
      const fits = wanted.every((word) => texts[place].includes(word));
      row.hidden = !fits;
      count += fits;
    });
    for (const group of groups) {
      const body = group.nextElementSibling;
      group.hidden = wanted.length > 0 && !Array.from(body.rows).some((row) => !row.hidden);
      if (wanted.length) foldGroup(group, true);
    }
    output.textContent = wanted.length ? `${count} of ${rows.length} rows` : "";
  });
};

all("figure.table table").forEach(sortable);
all("figure.table tbody.group").forEach(foldable);
all("figure.table .search input").forEach(searchable);
