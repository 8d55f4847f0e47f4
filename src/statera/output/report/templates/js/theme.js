// The theme follows the reader's system until the reader chooses one; paper is white.
const dark = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
// Asked once: Chromium loses the event of a change if `matches` is read between the change and its event.
let system = dark.matches ? "dark" : "light";
const theme = () => (root.dataset.theme === "auto" ? system : root.dataset.theme);
const themeChanged = () => dispatchEvent(new CustomEvent("theme"));
const themeButton = document.getElementById("theme");
const modes = ["auto", "light", "dark"];
themeButton.hidden = false;
themeButton.addEventListener("click", () => {
  root.dataset.theme = modes[(modes.indexOf(root.dataset.theme) + 1) % modes.length];
  themeButton.textContent = `Theme: ${root.dataset.theme === "auto" ? "automatic" : root.dataset.theme}`;
  themeChanged();
});
dark.addEventListener("change", (event) => {
  system = event.matches ? "dark" : "light";
  themeChanged();
});
