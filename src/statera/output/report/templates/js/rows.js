// The address of a row or card opens what it stands in and marks it.
const shownRow = (row) => {
  const input = row.closest("figure").querySelector(".search input");
  if (row.hidden && input) {
    input.value = "";
    input.dispatchEvent(new Event("input"));
  }
  const group = groupOf(row);
  if (group && group.classList.contains("group")) foldGroup(group, true);
};
const visit = () => {
  all(".marked").forEach((each) => each.classList.remove("marked"));
  const place = addressed();
  if (!place) return;
  opened(place);
  if (place.tagName === "TR") shownRow(place);
  if (place.matches("tr, .card, .picture")) place.classList.add("marked");
  place.scrollIntoView({ block: place.tagName === "TR" ? "center" : "start" });
};
addEventListener("hashchange", visit);
// A link to the current address changes no address: it is followed all the same.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (link && link.hash === location.hash) visit();
});

// The symbol beside a name leads to its row, and copies the address of its row.
all("figure.table tr[id]").forEach((row) => {
  row.cells[0].append(made("a", { class: "at", href: `#${row.id}`, "aria-label": "Link to this row" }));
});
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.at");
  if (!link) return;
  link.dataset.said = (await copied(link.href)) ? "copied" : "in the address bar";
  setTimeout(() => { delete link.dataset.said; }, 1600);
});
visit();
