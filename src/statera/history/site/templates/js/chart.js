// Charts: values by pointer and keys, and zoom. The drawing itself is that of the page: zoom only moves its boxes.
const STEPS = 10000;
const SVG = "http://www.w3.org/2000/svg";
const held = self.stateraData ?? [];
const lines = new Map(held.filter((each) => each.line).map((each) => [each.line, each]));
const series = held.find((each) => each.series);
const made = (name, attributes, ...inner) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inner);
  return element;
};
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// The values of a course in order, each with its place, its text and what is known of its job.
const pointsOf = (course) => course.stretches.flatMap((stretch) => {
  const line = lines.get(stretch.line);
  const outside = new Set(stretch.outside);
  return stretch.steps.map((step, number) => {
    const job = stretch.jobs ? stretch.jobs[number] : number;
    return {
      x: line.position[job], step, text: stretch.texts[number], outside: outside.has(number),
      commit: line.commit[job], page: line.page[job], subject: line.subject[job], day: line.day[job], run: line.run[job],
    };
  });
});

// What a reader learns of a value: as elements, and as a sentence.
const linked = (text, address) => (address ? made("a", { href: address, rel: "noopener" }, text) : text);
const told = (point) => [
  made("b", {}, point.text + (point.outside ? " (outside)" : "")),
  made("span", {}, linked(point.commit.slice(0, 8), point.page), point.day ? ` · ${point.day}` : ""),
  ...(point.subject ? [made("span", {}, point.subject)] : []),
  ...(point.run ? [made("a", { href: point.run, rel: "noopener" }, "page of the run")] : []),
];
const said = (point) =>
  [point.text, `commit ${point.commit.slice(0, 8)}`, point.day, point.subject].filter(Boolean).join(", ");

const start = (figure) => {
  const course = series.courses[Number(figure.dataset.course)];
  const points = pointsOf(course);
  const changes = course.stretches.flatMap((stretch) => stretch.changes);
  const drawing = figure.querySelector(".drawing");
  const svg = drawing.querySelector("svg");
  const [spans, values] = [svg.querySelector(".spans"), svg.querySelector(".values")];
  const top = Number(values.getAttribute("y"));
  const height = Number(values.getAttribute("height"));
  const box = values.getAttribute("viewBox").split(" ").map(Number);
  const whole = { left: box[0], width: box[2], high: 0, tall: STEPS };
  const least = Math.min(whole.width, 5);
  let view = whole;
  let at = -1;
  let named = -1;

  const cursor = made("div", {
    class: "cursor", role: "slider", tabindex: "0", "aria-label": `Values: ${svg.querySelector("title").textContent}`,
    "aria-valuemin": "1", "aria-valuemax": String(points.length), "aria-valuenow": String(points.length),
    "aria-valuetext": said(points.at(-1)),
  });
  const ring = made("div", { class: "ring", hidden: "" });
  const range = made("div", { class: "range", hidden: "" });
  const tip = made("div", { class: "tip", hidden: "" });
  drawing.append(range, ring, cursor, tip);

  // Places within the drawing, in pixels; the plot stands right of the labels of the scale.
  const beside = () => svg.getBoundingClientRect().left - drawing.getBoundingClientRect().left;
  const across = (x) => ((x - view.left) / view.width) * svg.clientWidth;
  const down = (step) => top + clamp((step - view.high) / view.tall, 0, 1) * height;

  const show = (number) => {
    at = number;
    const point = points[number];
    const inside = point && point.x >= view.left && point.x <= view.left + view.width;
    ring.hidden = tip.hidden = !inside;
    if (!inside) return;
    // A drawing again, as of a window of another width, leaves the focus on a link of the value.
    if (named !== number) tip.replaceChildren(...told(point));
    named = number;
    cursor.setAttribute("aria-valuenow", String(number + 1));
    cursor.setAttribute("aria-valuetext", said(point));
    const [x, y] = [beside() + across(point.x), down(point.step)];
    ring.style.transform = `translate(${x}px, ${y}px)`;
    const room = drawing.clientWidth - tip.offsetWidth;
    const below = y < top + tip.offsetHeight + 14;
    tip.style.transform = `translate(${clamp(x - tip.offsetWidth / 2, 0, room)}px, ${below ? y + 14 : y - tip.offsetHeight - 14}px)`;
  };
  const unpin = () => {
    figure.classList.remove("pinned");
    show(-1);
  };

  // Labels of the scale: round values within the view.
  const ticks = () => {
    const value = (step) => course.high - (step / STEPS) * (course.high - course.low);
    const [high, low] = [value(view.high), value(view.high + view.tall)];
    let width = 10 ** Math.floor(Math.log10((high - low) / 4));
    width *= [1, 2, 5, 10].find((size) => (high - low) / (width * size) <= 7);
    const decimals = Math.max(0, -Math.floor(Math.log10(width) + 1e-9));
    const parts = [];
    for (let number = Math.ceil(low / width); number <= Math.floor(high / width); number += 1) {
      const y = top + ((high - number * width) / (high - low)) * height;
      const text = document.createElementNS(SVG, "text");
      text.setAttribute("x", "-8");
      text.setAttribute("y", String(y + 4));
      text.textContent = (number * width).toFixed(decimals) + (course.unit ? ` ${course.unit}` : "");
      const line = document.createElementNS(SVG, "line");
      line.setAttribute("x2", "100%");
      line.setAttribute("y1", String(y));
      line.setAttribute("y2", String(y));
      parts.push(line, text);
    }
    return parts;
  };

  // Texts stand at their places; of those that would touch, the later one is shown.
  const placed = (group) => {
    let free = Infinity;
    const all = Array.from(group.children, (text) => ({ text, x: across(Number(text.dataset.at)) }));
    for (const { text, x } of all.sort((a, b) => b.x - a.x)) {
      const inside = x >= 0 && x <= svg.clientWidth;
      const half = text.getComputedTextLength() / 2;
      if (!half) continue;
      const centre = clamp(x, half, svg.clientWidth - half);
      const shown = inside && centre + half < free;
      text.setAttribute("x", String(centre));
      text.setAttribute("text-anchor", "middle");
      text.setAttribute("visibility", shown ? "visible" : "hidden");
      if (shown) free = centre - half - 8;
    }
  };
  // What stands below: the days of the values near the marks, or their commits if all are of one day.
  const below = svg.querySelector(".below");
  const marks = () => {
    const shown = points.filter((point) => point.x >= view.left && point.x <= view.left + view.width);
    if (!shown.length) return;
    const chosen = [...new Set([0, 1, 2, 3, 4].map((part) => shown[Math.round(((shown.length - 1) * part) / 4)]))];
    const days = chosen.map((point) => point.day);
    const dated = days.every(Boolean) && new Set(days).size > 1;
    const y = below.firstElementChild?.getAttribute("y") ?? "0";
    below.replaceChildren(...chosen.map((point) => {
      const text = document.createElementNS(SVG, "text");
      text.setAttribute("y", y);
      text.dataset.at = String(point.x);
      text.textContent = dated ? point.day : point.commit.slice(0, 8);
      return text;
    }));
  };

  // The height fits the values that are seen; those beyond the scale do not stretch it.
  const fitted = (left, width) => {
    if (width >= whole.width) return whole;
    const seen = points.filter((point) => point.step >= 0 && point.step <= STEPS && point.x >= left && point.x <= left + width);
    if (!seen.length) return { ...view, left, width };
    const steps = seen.map((point) => point.step);
    const [high, low] = [Math.min(...steps), Math.max(...steps)];
    const free = Math.max((low - high) * 0.1, STEPS * 0.03);
    return { left, width, high: high - free, tall: low - high + 2 * free };
  };
  const draw = () => {
    spans.setAttribute("viewBox", `${view.left} 0 ${view.width} 100`);
    values.setAttribute("viewBox", `${view.left} ${view.high} ${view.width} ${view.tall}`);
    svg.querySelector(".scale").replaceChildren(...ticks());
    marks();
    placed(below);
    placed(svg.querySelector(".labels"));
    show(at);
  };
  const zoom = (left, width) => {
    const wide = clamp(width, least, whole.width);
    view = fitted(clamp(left, whole.left, whole.left + whole.width - wide), wide);
    reset.disabled = out.disabled = view === whole;
    draw();
  };
  const zoomBy = (factor) => {
    const centre = at < 0 ? view.left + view.width / 2 : points[at].x;
    zoom(centre - (view.width * factor) / 2, view.width * factor);
  };
  const button = (words, act) => {
    const element = made("button", { type: "button" }, words);
    element.addEventListener("click", act);
    return element;
  };
  const reset = button("Show all", () => zoom(whole.left, whole.width));
  const out = button("Zoom out", () => zoomBy(2));
  const hint = made("span", { class: "hint" }, "Drag to zoom. Keys: ← → values, Page keys changes, + − zoom, Enter links.");
  figure.append(made("div", { class: "chart-tools" }, button("Zoom in", () => zoomBy(0.5)), out, reset, hint));

  // The value nearest to a place of the pointer.
  const place = (event) => event.clientX - svg.getBoundingClientRect().left;
  const positionAt = (pixels) => view.left + (pixels / svg.clientWidth) * view.width;
  const nearest = (x) => {
    let [low, high] = [0, points.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (points[middle].x < x) low = middle + 1;
      else high = middle;
    }
    return low > 0 && x - points[low - 1].x < points[low].x - x ? low - 1 : low;
  };
  let from = null;
  cursor.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    from = place(event);
    cursor.setPointerCapture(event.pointerId);
  });
  cursor.addEventListener("pointermove", (event) => {
    const x = place(event);
    if (from !== null && Math.abs(x - from) > 6) {
      range.hidden = false;
      range.style.transform = `translateX(${beside() + Math.min(x, from)}px)`;
      range.style.width = `${Math.abs(x - from)}px`;
    }
    if (!figure.classList.contains("pinned")) show(nearest(positionAt(x)));
  });
  cursor.addEventListener("pointerup", (event) => {
    if (from === null) return;
    const [left, right] = [from, place(event)].sort((a, b) => a - b).map(positionAt);
    const dragged = !range.hidden;
    range.hidden = true;
    from = null;
    if (dragged) zoom(left, right - left);
    else {
      show(nearest(right));
      figure.classList.add("pinned");
    }
  });
  cursor.addEventListener("pointercancel", () => { from = null; range.hidden = true; });
  cursor.addEventListener("pointerleave", () => { if (!figure.classList.contains("pinned") && document.activeElement !== cursor) show(-1); });
  cursor.addEventListener("focus", () => { if (at < 0 && cursor.matches(":focus-visible")) step(points.length - 1); });
  figure.addEventListener("focusout", (event) => { if (!figure.contains(event.relatedTarget)) unpin(); });

  // The keys: what is selected stays in view.
  const step = (number) => {
    const next = clamp(number, 0, points.length - 1);
    const x = points[next].x;
    if (x < view.left || x > view.left + view.width) zoom(x - view.width / 2, view.width);
    show(next);
  };
  const change = (way) => {
    const here = points[Math.max(at, 0)].x;
    const next = way > 0 ? changes.find((each) => each > here) : changes.findLast((each) => each < here);
    if (next !== undefined) step(nearest(next));
  };
  const keys = {
    ArrowLeft: () => step(at - 1), ArrowDown: () => step(at - 1),
    ArrowRight: () => step(at + 1), ArrowUp: () => step(at + 1),
    Home: () => step(0), End: () => step(points.length - 1),
    PageUp: () => change(-1), PageDown: () => change(1),
    "+": () => zoomBy(0.5), "=": () => zoomBy(0.5), "-": () => zoomBy(2), 0: () => zoom(whole.left, whole.width),
    Enter: () => { figure.classList.add("pinned"); tip.querySelector("a")?.focus(); },
    Escape: unpin,
  };
  cursor.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  tip.addEventListener("keydown", (event) => { if (event.key === "Escape") { cursor.focus(); unpin(); } });
  zoom(whole.left, whole.width);
  new ResizeObserver(() => draw()).observe(drawing);
};

document.querySelectorAll("figure.chart[data-course]").forEach(start);
