// The theme follows the reader's system until the reader chooses one; paper is white.
const dark = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
const theme = () => (root.dataset.theme === "auto" ? (dark.matches ? "dark" : "light") : root.dataset.theme);
const themeChanged = () => dispatchEvent(new CustomEvent("theme"));
const themeButton = document.getElementById("theme");
const modes = ["auto", "light", "dark"];
themeButton.hidden = false;
themeButton.addEventListener("click", () => {
  root.dataset.theme = modes[(modes.indexOf(root.dataset.theme) + 1) % modes.length];
  themeButton.textContent = `Theme: ${root.dataset.theme === "auto" ? "automatic" : root.dataset.theme}`;
  themeChanged();
});
dark.addEventListener("change", themeChanged);
