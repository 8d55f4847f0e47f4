// The rows that contain every word and have the chosen metric, branch and machine stay visible.
const filters = document.querySelector(".filters");
const rows = Array.from(document.querySelectorAll(".courses tbody tr"));
const texts = rows.map((row) => `${row.dataset.name ?? ""} ${row.textContent}`.toLowerCase());
const search = filters.querySelector("input");
const selects = Array.from(filters.querySelectorAll("select"));
const output = filters.querySelector("output");
const chosen = (row, select) => {
  if (select.value === "*") return true;
  if (select.value === "*primary") return !("secondary" in row.dataset);
  return `=${row.querySelector(`[data-column=${select.name}]`).textContent}` === select.value;
};
const filter = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  rows.forEach((row, place) => {
    const fits = words.every((word) => texts[place].includes(word)) && selects.every((select) => chosen(row, select));
    row.hidden = !fits;
    count += fits;
  });
  output.textContent = count < rows.length ? `${count} of ${rows.length} rows` : "";
};
filters.hidden = false;
filters.addEventListener("input", filter);
filter();
