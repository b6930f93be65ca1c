// From one picture to the next: pieces that moved slide, new ones appear. The ids of pictures name places and an index
// there, so a piece that changed its place has another id: it is found by its token, or by the first word of its id.

/** @typedef {{ id: string, sort: string, token: string | null, x: number, y: number }} Spot */
/** @typedef {{ pieces: Map<Spot, Element>, ids: Set<string> }} Spots */

const MOST = 80;
const MS = 420;

/** The innermost elements with an id, where they are on the screen, and all ids. @param {SVGSVGElement} svg @returns {Spots} */
export function spots(svg) {
  const pieces = new Map();
  const ids = new Set();
  for (const element of svg.querySelectorAll('[id]')) {
    ids.add(element.id);
    if (element.closest('defs') || element.querySelector('[id]')) continue;
    const { left, top, width } = element.getBoundingClientRect();
    if (width === 0) continue;
    const token = element.getAttribute('data-type') === 'CARD' ? element.getAttribute('data-token') : null;
    pieces.set({ id: element.id, sort: element.id.split('-')[0], token, x: left, y: top }, element);
  }
  return { pieces, ids };
}

/**
 * Animates the new picture from where the pieces of the old one were.
 * @param {Spots} before @param {SVGSVGElement} svg
 */
export function animate(before, svg) {
  const after = spots(svg);
  const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
  const left = new Set(before.pieces.keys());
  const waiting = new Map(after.pieces);
  /** @type {[Element, Spot, Spot][]} */
  const moved = [];
  /** @param {(old: Spot, spot: Spot) => boolean} isSame */
  const match = (isSame) => {
    for (const [spot, element] of waiting) {
      const old = [...left].find((one) => isSame(one, spot));
      if (!old) continue;
      left.delete(old);
      waiting.delete(spot);
      if (Math.hypot(old.x - spot.x, old.y - spot.y) > 3) moved.push([element, old, spot]);
    }
  };
  match((old, spot) => old.sort === spot.sort && old.token === spot.token && old.id === spot.id);
  match((old, spot) => old.token !== null && old.token === spot.token && old.sort === spot.sort);
  match((old, spot) => old.token !== null && old.token === spot.token);
  match((old, spot) => old.token === spot.token && old.id === spot.id);
  // A place that is in both pictures stays where it is, even if it has been emptied.
  const isGone = (/** @type {Spot} */ old) => !after.ids.has(old.id);
  const isNew = (/** @type {Spot} */ spot) => !before.ids.has(spot.id);
  match((old, spot) => old.token === null && spot.token === null && old.sort === spot.sort && isGone(old) && isNew(spot));
  moved.slice(0, MOST).forEach(([element, old, spot], index) => {
    const from = `${(old.x - spot.x) * scale}px ${(old.y - spot.y) * scale}px`;
    const delay = Math.min(index * 25, 300);
    // `translate` adds to the element's own transform.
    element.animate({ translate: [from, '0px 0px'] }, { duration: MS, delay, easing: 'cubic-bezier(.3,.1,.2,1)', fill: 'backwards' });
  });
  const fresh = [...waiting].filter(([spot]) => isNew(spot) || spot.token !== null);
  for (const [, element] of fresh.slice(0, MOST)) {
    element.animate({ opacity: [0, 1] }, { duration: MS, easing: 'ease-out' });
  }
}
