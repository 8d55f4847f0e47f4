// The values of a row: both sides as strips of dots. Values can be left out; then the medians are computed again.
const samples = once(async () => JSON.parse(await unpacked("samples")));
const NUMBERS = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
// As tables write them: times with four digits, whatever they end with, and rounded by their exact value.
const TIMES = new Set(["ps", "ns", "µs", "ms", "s", "min", "h"]);
const amount = (value, unit) =>
  TIMES.has(unit.trim()) && Math.abs(value) >= 1e-6 && Math.abs(value) < 1e4 ? value.toPrecision(4) : NUMBERS.format(value);
const LANE = 34, MARGIN = 14;
const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const difference = (before, after) => {
  if (!(before > 0) || !(after > 0)) return `difference of the medians ${NUMBERS.format(after - before)}`;
  const ratio = after / before;
  const percent = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, signDisplay: "exceptZero" });
  return `change of the medians ${ratio >= 2 ? `×${NUMBERS.format(ratio)}` : `${percent.format(100 * (ratio - 1))}%`}`;
};

class Values {
  constructor({ unit, sides }) {
    this.unit = unit ? ` ${unit}` : "";
    this.sides = sides;
    this.every = sides.flatMap(([, values], side) => values.map((value, place) => ({ side, value, place })));
    this.picked = new Set();
    this.left = new Set();
    this.said = made("p", { class: "medians", role: "status" });
    this.label = made("p", { class: "exploration" }, "Exploration, without the values that you left out; not a test.");
    this.leave = button("Leave out the selection", () => this.change(() => {
      this.picked.forEach((each) => this.left.add(each));
      this.picked.clear();
    }));
    this.back = button("Take all back", () => this.change(() => { this.left.clear(); this.picked.clear(); }));
    this.strip = made("svg", { class: "strip", height: LANE * sides.length + 26, "aria-hidden": "true" });
    this.list = made("details", {}, made("summary", {}, "Every value, in the order of measurement"));
    const hint = made("span", { class: "hint" }, "Drag over the dots to select values.");
    const tools = made("p", { class: "tools" }, this.leave, this.back, hint);
    this.element = made("div", { class: "values" }, this.strip, this.said, this.label, tools, this.list);
    this.listed();
    this.brushed();
  }

  change(how) {
    how();
    this.drawn();
  }

  // The places of dots: a common axis, logarithmic if the values differ tenfold, and a fixed scatter.
  place() {
    // A table may be wider than what is seen of it.
    this.width = Math.max(this.element.closest(".scroll").clientWidth - 2 * MARGIN - 8, 240);
    this.element.style.width = `${this.width}px`;
    const values = this.every.map((each) => each.value);
    const low = Math.min(...values), high = Math.max(...values);
    const scale = low > 0 && high > 10 * low ? Math.log : (value) => value;
    const span = scale(high) - scale(low) || 1;
    const names = Math.min(120, this.width / 4);
    this.at = (value) => names + MARGIN + ((scale(value) - scale(low)) / span) * (this.width - names - 2 * MARGIN);
    for (const each of this.every) {
      each.x = this.at(each.value);
      each.y = LANE * (each.side + 0.5) + 4 + (((each.place * 7919) % 17) / 16 - 0.5) * (LANE - 16);
    }
    this.ends = [low, high];
  }

  drawn() {
    const { strip } = this;
    this.place();
    strip.setAttribute("width", this.width);
    strip.replaceChildren();
    const base = LANE * this.sides.length + 8;
    for (const [place, end] of this.ends.entries()) {
      if (place && this.ends[0] === end) continue;
      strip.append(made("text", { x: this.at(end), y: base + 12, "text-anchor": place ? "end" : "start", class: "tick" },
        NUMBERS.format(end) + this.unit));
    }
    const medians = this.sides.map(([label, values], side) => {
      const kept = this.every.filter((each) => each.side === side && !this.left.has(each)).map((each) => each.value);
      const middle = kept.length ? median(kept) : NaN;
      const y = LANE * side + 4;
      strip.append(made("text", { x: 0, y: y + LANE / 2 + 4 }, label.length > 16 ? `${label.slice(0, 9)}…${label.slice(-6)}` : label));
      if (kept.length) strip.append(made("path", { class: "median", d: `M${this.at(middle)} ${y + 2}V${y + LANE - 2}` }));
      return { label, middle, count: kept.length, all: values.length };
    });
    for (const each of this.every) {
      const state = this.left.has(each) ? "left" : this.picked.has(each) ? "picked" : "";
      strip.append(made("circle", { cx: each.x, cy: each.y, r: 3.2, class: `side-${each.side} ${state}` }));
    }
    this.told(medians);
  }

  told(medians) {
    const one = ({ label, middle, count, all: every }) => {
      const number = count === every ? `${count}` : `${count} of ${every}`;
      return count ? `${label}: median ${amount(middle, this.unit)}${this.unit} of ${number} values` : `${label}: no value left`;
    };
    const whole = medians.every((each) => each.count);
    const words = [...medians.map(one), ...(whole ? [difference(medians[0].middle, medians[1].middle)] : [])];
    this.said.textContent = `${words.join(" · ")}.`;
    this.label.hidden = !this.left.size;
    this.leave.disabled = !this.picked.size;
    this.back.hidden = !this.left.size && !this.picked.size;
    all("input", this.list).forEach((input, place) => { input.checked = !this.left.has(this.every[place]); });
  }

  // Without a pointer, each value has a box.
  listed() {
    this.sides.forEach(([label], side) => {
      const boxes = this.every.filter((each) => each.side === side).map((each) => {
        const box = made("input", { type: "checkbox" });
        box.addEventListener("change", () => this.change(() => {
          if (box.checked) this.left.delete(each);
          else this.left.add(each);
        }));
        return made("label", {}, box, NUMBERS.format(each.value));
      });
      const unit = this.unit ? ` (${this.unit.trim()})` : "";
      this.list.append(made("fieldset", {}, made("legend", {}, label + unit), ...boxes));
    });
  }

  brushed() {
    const { strip } = this;
    let start = null;
    const here = (event) => {
      const box = strip.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const area = made("rect", { class: "brush" });
    strip.addEventListener("pointerdown", (event) => {
      start = here(event);
      strip.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    strip.addEventListener("pointermove", (event) => {
      if (!start) return;
      const end = here(event);
      const [x, y] = [0, 1].map((place) => Math.min(start[place], end[place]));
      const [width, height] = [0, 1].map((place) => Math.abs(start[place] - end[place]));
      for (const [key, value] of Object.entries({ x, y, width, height })) area.setAttribute(key, value);
      const inside = (each) => each.x >= x && each.x <= x + width && each.y >= y && each.y <= y + height;
      this.picked = new Set(this.every.filter((each) => inside(each) && !this.left.has(each)));
      this.drawn();
      strip.append(area);
    });
    const end = () => { start = null; area.remove(); };
    strip.addEventListener("pointerup", end);
    strip.addEventListener("pointercancel", end);
  }
}

// A row with values has a button that shows them below it; a click into the row does the same.
const hideValues = (row) => {
  const below = row.nextElementSibling;
  if (!below || !below.matches(".detail")) return false;
  below.remove();
  row.querySelector(".more").setAttribute("aria-expanded", "false");
  return true;
};
const showValues = async (row) => {
  const shown = new Values((await samples())[row.id]);
  const cell = made("td", { colspan: row.cells.length }, shown.element);
  const name = row.querySelector(".short");
  const sign = row.querySelector("[role=img]");
  if (sign) shown.element.prepend(made("p", {}, `${sign.title}.`));
  if (name) shown.element.prepend(made("p", {}, name.title));
  hideValues(row);
  row.after(made("tr", { class: "detail" }, cell));
  row.querySelector(".more").setAttribute("aria-expanded", "true");
  shown.drawn();
};
const offerValues = async () => {
  for (const name of Object.keys(await samples())) {
    const row = document.getElementById(name);
    const more = made("button", { type: "button", class: "more", "aria-expanded": "false", "aria-label": "Values" });
    row.cells[0].prepend(more);
    row.classList.add("has-values");
  }
};
if (document.getElementById("samples")) {
  offerValues();
  document.addEventListener("click", (event) => {
    const row = event.target.closest("tr.has-values");
    const other = event.target.closest("a, input, button:not(.more)");
    if (row && !other && !String(getSelection())) hideValues(row) || showValues(row);
  });
  all("figure.table table").forEach((table) => table.addEventListener("rearranged", () => {
    all(".detail", table).forEach((each) => hideValues(each.previousElementSibling));
  }));
}
