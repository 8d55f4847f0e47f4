"""What a page looks like to its reader: the mark of the focus, and the contrast of every text."""

FOCUSED = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  return {tag: at.tagName, words: at.textContent.slice(0, 40), outline: style.outlineStyle,
          width: parseFloat(style.outlineWidth), left: at.getBoundingClientRect().left};
}"""

# Texts with a contrast below 4.5 (WCAG 2.2, 1.4.3) to the nearest background that is opaque.
LOW_CONTRAST = r"""() => {
  // A mixed colour is written as parts of one: color(srgb 0.9 0.95 1).
  const channels = (colour) => (colour.match(/[\d.]+/g) || []).map(Number)
    .map((each, place) => colour.startsWith("color(") && place < 3 ? each * 255 : each);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = channels(getComputedStyle(at).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const low = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let looked = 0; looked < 4000 && walker.nextNode();) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("svg, script") || !element.checkVisibility()) continue;
    looked += 1;
    const pair = [light(channels(getComputedStyle(element).color)), light(behind(element))];
    const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    if (contrast < 4.5) low.add(`${element.tagName} ${element.className}: ${contrast.toFixed(2)}`);
  }
  return Array.from(low);
}"""
