// A picture stands in the page as a still drawing. Where it comes near, Vega draws it again, for the width of the
// screen and in the current theme, and shows the values under the pointer.
const NARROW = 480;
const canvases = all(".picture .canvas");
const themes = canvases.length ? JSON.parse(document.getElementById("themes").textContent) : {};
// Both forms of a picture share their rows of data, and have their numbers.
const shapes = once(async () => {
  const { pictures, rows } = JSON.parse(await unpacked("shapes"));
  const whole = (key, value) => {
    if (!value || !Array.isArray(value.rows)) return value;
    const { rows: numbers, ...others } = value;
    return { ...others, values: numbers.map((number) => ({ ...rows[number] })) };
  };
  return (place) => JSON.parse(JSON.stringify(pictures[place]), whole);
});
const library = once(async () => {
  // The policy of the page allows this one script, by its hash.
  document.head.append(made("script", {}, await unpacked("library")));
});
const pictures = new Map(canvases.map((place) => [place, { place, wanted: "", shown: "", drawing: Promise.resolve() }]));
// A small picture fits into less room than a phone's form needs.
const formOf = (place) => {
  const wide = place.querySelector(".still svg").width.baseVal.value;
  return place.closest(".picture").clientWidth < Math.min(NARROW, wide) ? "narrow" : "wide";
};
const embedded = async (picture, mode, form) => {
  const [every] = await Promise.all([shapes(), library()]);
  const shape = every(picture.place.dataset.figure - 1);
  const stage = made("div", { class: "stage" });
  picture.place.append(stage);
  try {
    const drawn = await vegaEmbed(stage, shape[form] || shape.wide, {
      mode: "vega-lite", actions: false, renderer: "svg", ast: true, defaultStyle: false,
      tooltip: { disableDefaultStyle: true }, config: { ...themes[mode], aria: false },
    });
    return { stage, view: drawn.view, form: shape[form] ? form : "wide" };
  } catch (error) {
    stage.remove();
    throw error;
  }
};
const redrawn = async (picture, mode, form) => {
  const drawn = await embedded(picture, mode, form);
  if (picture.view) picture.view.finalize();
  all(".live", picture.place).forEach((each) => each.remove());
  // Vega would set a role and a label of its own: the words of the still drawing, which paper shows, hold for both.
  const svg = drawn.stage.querySelector("svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-labelledby", picture.place.querySelector(".still svg").getAttribute("aria-labelledby"));
  // Below an image nothing is announced; the marks would only be images without words.
  for (const mark of all("[role]", svg)) {
    for (const name of ["role", "aria-roledescription", "aria-label"]) mark.removeAttribute(name);
  }
  drawn.stage.className = "live";
  picture.view = drawn.view;
  picture.place.dataset.drawn = mode;
  picture.place.dataset.form = drawn.form;
};
const draw = (picture) => {
  const [mode, form] = [theme(), formOf(picture.place)];
  const wanted = `${mode} ${form}`;
  if (picture.wanted !== wanted) {
    picture.wanted = wanted;
    // One after the other, and none that another has overtaken; if Vega fails, the drawing that was there stays.
    picture.drawing = picture.drawing.then(async () => {
      if (picture.wanted !== wanted || picture.shown === wanted) return;
      await redrawn(picture, mode, form);
      picture.shown = wanted;
    }).catch((error) => console.error(error));
  }
  return picture.drawing;
};
const near = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const picture = pictures.get(entry.target);
    picture.near = entry.isIntersecting;
    if (picture.near) draw(picture);
  }
}, { rootMargin: "600px" });
canvases.forEach((place) => near.observe(place));
const redraw = () => pictures.forEach((picture) => {
  if (picture.near || picture.wanted) draw(picture);
});
addEventListener("theme", redraw);
let resized;
addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(redraw, 200);
});
