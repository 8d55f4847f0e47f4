// A flame graph: the line below it says what is under the pointer or has the focus. Arrows go from frame to frame,
// Enter or a click makes a frame as wide as the drawing, and Escape shows the whole again.
all("figure.flame").forEach((figure) => {
  const line = figure.querySelector(".told");
  const hint = "Point at a frame, or use the arrow keys. Enter or a click widens it, Escape shows all.";
  const frames = all(".frame", figure).map((element) => ({
    element,
    left: parseFloat(element.getAttribute("x")),
    width: parseFloat(element.getAttribute("width")),
    row: Number(element.getAttribute("y")),
  }));
  const say = (element) => { line.textContent = element ? element.getAttribute("aria-label") : hint; };
  const holds = (outer, inner) => outer.left <= inner.left + 1e-6 && inner.left + inner.width <= outer.left + outer.width + 1e-3;
  const widen = (to) => frames.forEach((each) => {
    const above = each.row < to.row && holds(each, to);
    const shown = above || (each.row >= to.row && holds(to, each));
    each.element.classList.toggle("outside", !shown);
    each.element.classList.toggle("above", above);
    each.element.setAttribute("x", above ? "0%" : `${100 * (each.left - to.left) / to.width}%`);
    each.element.setAttribute("width", above ? "100%" : `${100 * each.width / to.width}%`);
  });
  const whole = { left: 0, width: 100, row: 0 };
  const next = (of, key) => {
    const seen = frames.filter((each) => !each.element.classList.contains("outside"));
    const row = seen[0].row === of.row ? 0 : frames.map((each) => each.row).filter((each) => each < of.row).reduce((a, b) => Math.max(a, b), 0);
    if (key === "ArrowUp") return seen.find((each) => each.row === row && holds(each, of));
    if (key === "ArrowDown") return seen.filter((each) => each.row > of.row && holds(of, each)).sort((a, b) => a.row - b.row || b.width - a.width)[0];
    const beside = seen.filter((each) => each.row === of.row).sort((a, b) => a.left - b.left);
    return beside[beside.indexOf(of) + (key === "ArrowRight" ? 1 : -1)];
  };
  const focused = (frame) => {
    frames.forEach((each) => each.element.setAttribute("tabindex", each === frame ? "0" : "-1"));
    frame.element.focus();
  };
  frames.forEach((frame) => {
    frame.element.addEventListener("pointerenter", () => say(frame.element));
    frame.element.addEventListener("focus", () => say(frame.element));
    frame.element.addEventListener("click", () => { widen(frame); focused(frame); });
    frame.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter") widen(frame);
      else if (event.key === "Escape") widen(whole);
      else if (event.key.startsWith("Arrow")) {
        const found = next(frame, event.key);
        if (found) focused(found);
      } else return;
      event.preventDefault();
    });
  });
  figure.addEventListener("pointerleave", () => say(null));
  say(null);
});
