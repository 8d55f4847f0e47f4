// The rows that contain every word and have the chosen branch and machine stay visible; those without a change are folded.
const filters = document.querySelector(".filters");
const rows = Array.from(document.querySelectorAll(".courses tbody:not(.group) tr"));
const texts = rows.map((row) => `${row.dataset.name ?? ""} ${row.textContent}`.toLowerCase());
const search = filters.querySelector("input");
const selects = Array.from(filters.querySelectorAll("select"));
const output = filters.querySelector("output");
const flat = document.querySelector(".courses .flat");
const fold = flat?.previousElementSibling.querySelector("button");
if (flat) fold.click();
const chosen = (row, select) => {
  if (select.value === "*") return true;
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
  const chooses = words.length > 0 || selects.some((select) => select.value !== "*");
  if (flat && chooses) {
    fold.setAttribute("aria-expanded", "true");
    flat.hidden = false;
  }
  if (flat) flat.previousElementSibling.hidden = !Array.from(flat.rows).some((row) => !row.hidden);
  output.textContent = count < rows.length ? `${count} of ${rows.length} rows` : "";
};
filters.hidden = false;
filters.addEventListener("input", filter);
filter();
