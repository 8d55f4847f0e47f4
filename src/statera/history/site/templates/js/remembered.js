// The theme that the reader chooses holds on all pages.
const named = () => (root.dataset.theme === "auto" ? "automatic" : root.dataset.theme);
themeButton.textContent = `Theme: ${named()}`;
themeButton.addEventListener("click", () => {
  try {
    localStorage.setItem("statera-theme", root.dataset.theme);
  } catch {
    // Without storage it holds on this page.
  }
});
