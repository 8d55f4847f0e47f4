// What all other scripts use.
const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
const made = (name, attributes, ...inner) => {
  const svg = ["svg", "path", "circle", "line", "rect", "text", "g"].includes(name);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...inner);
  return element;
};
const button = (words, act) => {
  const element = made("button", { type: "button" }, words);
  element.addEventListener("click", act);
  return element;
};

// Data in the page is compressed: it is read where it is needed.
const unpacked = async (name) => {
  const packed = document.getElementById(name).textContent;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
};
const once = (make) => {
  let promise;
  return () => (promise = promise || make());
};

// Says a word to screen readers and, for a moment, on a button.
const told = (place, words) => {
  const before = place.dataset.words || place.textContent;
  place.dataset.words = before;
  place.textContent = words;
  setTimeout(() => { place.textContent = before; }, 1600);
};
const copied = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};
