// An address inside of folds opens them; so does printing, which folds again what it opened.
const opened = (element) => {
  for (let at = element; at; at = at.parentElement) {
    if (at.tagName === "DETAILS") at.open = true;
  }
};
const addressed = () => {
  const name = decodeURIComponent(location.hash.slice(1));
  return name ? document.getElementById(name) : null;
};
const folds = all("details.fold");
let printed = [];
addEventListener("beforeprint", () => {
  printed = folds.filter((each) => !each.open);
  printed.forEach((each) => { each.open = true; });
});
addEventListener("afterprint", () => printed.forEach((each) => { each.open = false; }));

const unfold = document.getElementById("unfold");
const foldWords = () => { unfold.textContent = folds.every((each) => each.open) ? "Fold all" : "Unfold all"; };
unfold.hidden = !folds.length;
unfold.addEventListener("click", () => {
  const open = !folds.every((each) => each.open);
  folds.forEach((each) => { each.open = open; });
  foldWords();
});
folds.forEach((each) => each.addEventListener("toggle", foldWords));
