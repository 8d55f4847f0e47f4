// Tools of a picture: to see it large, and to take it along as an image.
const dialog = made("dialog", { class: "large", "aria-label": "The figure, enlarged" });
document.body.append(dialog);
const enlarge = (picture) => {
  const svg = picture.place.querySelector(".live svg, .still:only-child svg").cloneNode(true);
  all("title, desc", svg).forEach((each) => each.remove());
  svg.removeAttribute("aria-labelledby");
  svg.setAttribute("aria-label", picture.place.querySelector("desc").textContent);
  const still = picture.place.querySelector(".still:only-child");
  const close = button("Close", () => dialog.close());
  dialog.replaceChildren(close, made("div", { class: still ? still.className : "" }, svg));
  dialog.setAttribute("aria-label", `Figure ${picture.place.dataset.figure}, enlarged`);
  dialog.showModal();
};
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener("close", () => dialog.replaceChildren());

const copyImage = async (picture, place) => {
  await draw(picture);
  const canvas = await picture.view.toCanvas(2);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    told(place, "Copied");
  } catch {
    // A page that may not write to the clipboard saves the image.
    const link = made("a", { href: URL.createObjectURL(blob), download: `figure-${picture.place.dataset.figure}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    told(place, "Saved");
  }
};
pictures.forEach((picture) => {
  const copy = button("Copy image", () => copyImage(picture, copy));
  const tools = made("span", { class: "tools" }, button("Enlarge", () => enlarge(picture)), copy);
  picture.place.closest(".picture").querySelector("figcaption").append("\u2003", tools);
});
