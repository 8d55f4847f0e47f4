// Before anything is drawn: the theme that the reader chose on another page.
try {
  document.documentElement.dataset.theme = localStorage.getItem("statera-theme") || "auto";
} catch {
  // Without storage the theme follows the system.
}
