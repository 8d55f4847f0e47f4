// The table of contents highlights the current section; on a narrow screen it starts folded.
const links = new Map(all(".contents a").map((link) => [link.getAttribute("href").slice(1), link]));
const places = [...links.keys()].map((name) => document.getElementById(name)).filter(Boolean);
const mark = () => {
  const past = scrollY === 0 ? [] : places.filter((place) => place.checkVisibility() && place.getBoundingClientRect().top < innerHeight / 3);
  const here = past.length ? past[past.length - 1] : places[0];
  links.forEach((link, name) => {
    if (here && name === here.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
};
let asked = false;
addEventListener("scroll", () => {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; mark(); });
}, { passive: true });
mark();
if (matchMedia("(max-width: 60rem)").matches) all(".contents details").forEach((each) => { each.open = false; });
