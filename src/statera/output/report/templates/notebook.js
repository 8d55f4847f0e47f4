// Tables of a notebook sort by a click on a heading and are filtered by a text. Without scripts they show every row.
for (const root of document.querySelectorAll(".statera:not([data-ready])")) {
  root.dataset.ready = "";
  const tables = [...root.querySelectorAll("table")];
  const rows = tables.flatMap((table) => [...table.tBodies[0].rows]);
  for (const table of tables) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      head.tabIndex = 0;
      head.setAttribute("aria-sort", "none");
      const key = (row) => {
        const cell = row.cells[column];
        return "k" in cell.dataset ? Number(cell.dataset.k) : cell.textContent;
      };
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        // What has no number comes last in either direction.
        if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
        const less = typeof x === "number" ? x - y : x.localeCompare(y, undefined, { numeric: true });
        return typeof x === "string" && (x === "-" || y === "-") && x !== y ? (x === "-" ? 1 : -1) : sign * less;
      };
      let sign = 1;
      const sort = () => {
        sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        for (const other of head.parentNode.cells) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
        table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          sort();
        }
      });
    });
  }
  if (rows.length > 5) {
    const input = document.createElement("input");
    input.type = "search";
    input.placeholder = "filter rows, by name or verdict";
    input.setAttribute("aria-label", input.placeholder);
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(" ");
      for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    });
    // A notebook takes keys as commands of its own.
    input.addEventListener("keydown", (event) => event.stopPropagation());
    tables[0].before(input);
  }
}
