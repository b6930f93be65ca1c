// The picture of a position, drawn by the server: what may be touched is lit, and touching it names its token.

import { animate, spots } from './animate.js';
import { isCalm } from './dom.js';

/** @typedef {{ token: string, type: string, text: string }} Target */

const SVG = 'http://www.w3.org/2000/svg';
/** A finger may miss what it meant by this much, in pixels: targets are at least 44 pixels wide this way. */
const REACH = 24;

/** Reads a picture. It comes from the server that sent this script, and it has no scripts: this is the only place where
 * markup becomes elements. @param {string} text @returns {SVGSVGElement} */
function read(text) {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (parsed.documentElement.namespaceURI !== SVG || parsed.querySelector('script, foreignObject')) throw new Error('The picture cannot be shown.');
  const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed.documentElement, true)));
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  return svg;
}

/** The attributes that determine the position of a shape. */
const GEOMETRY = ['x', 'y', 'width', 'height', 'rx', 'cx', 'cy', 'r', 'd'];
/** A ring is at least this wide, in units of the picture and in pixels. */
const LEAST_UNITS = 34;
const LEAST_PIXELS = 25;

/** A shape without its colours. @param {SVGGraphicsElement} shape */
function outline(shape) {
  const copy = /** @type {SVGGraphicsElement} */ (shape.cloneNode());
  for (const { name } of [...copy.attributes]) if (!GEOMETRY.includes(name)) copy.removeAttribute(name);
  return copy;
}

/** A round shape around a box. @param {DOMRect} box @param {number} least */
function round(box, least) {
  const [width, height] = [Math.max(least, box.width + 12), Math.max(least, box.height + 12)];
  const shape = document.createElementNS(SVG, 'rect');
  const facts = { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height, rx: Math.min(width, height) / 2 };
  for (const [key, value] of Object.entries(facts)) shape.setAttribute(key, String(value));
  return shape;
}

/** The largest shape that is drawn of an element: a card without its label, a tile with the road around it.
 * @param {SVGGraphicsElement} element @returns {SVGGraphicsElement | null} */
function largest(element) {
  let [found, most] = [/** @type {SVGGraphicsElement | null} */ (null), 0];
  for (const shape of /** @type {NodeListOf<SVGGraphicsElement>} */ (element.querySelectorAll('rect, circle, path'))) {
    // Touch areas cannot be seen; shapes of a part are moved with it.
    if (shape.getAttribute('opacity') === '0' || shape.parentElement?.closest('g') !== element) continue;
    const { width, height } = shape.getBBox();
    if (width * height > most) [found, most] = [shape, width * height];
  }
  return found;
}

/** Measures a picture as it will be when its pieces have arrived. @template T @param {SVGSVGElement} svg
 * @param {() => T} measure @returns {T} */
function atRest(svg, measure) {
  const running = svg.getAnimations({ subtree: true }).map((animation) => /** @type {const} */ ([animation, animation.currentTime]));
  for (const [animation] of running) animation.currentTime = 1e6;
  const measured = measure();
  for (const [animation, time] of running) animation.currentTime = time;
  return measured;
}

export class Picture {
  /** @type {SVGSVGElement | null} */
  svg = null;
  /** @type {{ target: Target, element: SVGGraphicsElement, light: SVGElement }[]} */
  #lit = [];
  /** The rings, in a group beside what they are around. @type {Map<Element, SVGGElement>} */
  #lights = new Map();
  #text = '';

  /**
   * @param {HTMLElement} place
   * @param {{ touch: (target: Target) => void, miss: (element: Element) => void }} on
   */
  constructor(place, { touch, miss }) {
    this.place = place;
    this.touch = touch;
    this.miss = miss;
    place.addEventListener('click', (event) => this.#click(event));
    place.addEventListener('keydown', (event) => this.#key(event));
    place.addEventListener('focusin', () => this.#showFocus());
    place.addEventListener('focusout', () => this.#showFocus());
  }

  /** Shows another position. @param {string} text @param {boolean} isMoving whether pieces slide to their places */
  show(text, isMoving) {
    if (text === this.#text) return;
    this.#text = text;
    const before = isMoving && this.svg && !isCalm() && !document.hidden ? spots(this.svg) : null;
    const hadFocus = this.svg?.contains(this.#focused());
    this.#lit = [];
    this.#lights.clear();
    this.svg = read(text);
    this.place.replaceChildren(this.svg);
    if (hadFocus) this.place.focus({ preventScroll: true });
    if (before) animate(before, this.svg);
  }

  clear() {
    this.#text = '';
    this.svg = null;
    this.#lit = [];
    this.#lights.clear();
    this.place.replaceChildren();
  }

  #focused() {
    return /** @type {ShadowRoot | Document} */ (this.place.getRootNode()).activeElement;
  }

  /** The elements that a token names for a seat. @param {Pick<Target, 'token' | 'type'>} target @param {number} seat */
  named({ token, type }, seat) {
    if (!this.svg) return [];
    const all = /** @type {NodeListOf<SVGGraphicsElement>} */ (this.svg.querySelectorAll(`[data-token="${CSS.escape(token)}"]`));
    return [...all].filter((element) => !element.closest('.lights')).filter((element) => {
      const { type: drawn, seat: owner } = element.dataset;
      return (!drawn || drawn === type) && (owner === undefined || Number(owner) === seat);
    });
  }

  /**
   * Lights what may be touched, and marks what was chosen. Returns the targets that the picture does not show.
   * @param {Target[]} targets @param {Pick<Target, 'token' | 'type'>[]} chosen @param {number} seat
   */
  light(targets, chosen, seat) {
    const focused = /** @type {SVGElement | null} */ (this.#focused())?.dataset.token;
    this.dim();
    if (!this.svg) return targets;
    return atRest(this.svg, () => this.#lightAll(targets, chosen, seat, focused));
  }

  /** @param {Target[]} targets @param {Pick<Target, 'token' | 'type'>[]} chosen @param {number} seat
   * @param {string | undefined} focused the token that had the focus */
  #lightAll(targets, chosen, seat, focused) {
    const used = new Set();
    for (const token of chosen) {
      const element = this.named(token, seat).find((one) => !used.has(one));
      if (!element) continue;
      used.add(element);
      this.#ring(element, 'chosen');
    }
    const missing = targets.filter((target) => {
      const elements = this.named(target, seat).filter((one) => !used.has(one));
      for (const element of elements) this.#lightUp(target, element);
      return elements.length === 0;
    });
    if (this.#lit.length) this.svg?.setAttribute('role', 'group');
    const kept = this.#lit.find(({ target }) => target.token === focused) ?? this.#lit[0];
    kept?.light.setAttribute('tabindex', '0');
    return missing;
  }

  /** The ring is the button for keyboards and screen readers, its element for fingers and mice.
   * @param {Target} target @param {SVGGraphicsElement} element */
  #lightUp(target, element) {
    const light = this.#ring(element, 'light');
    const facts = { role: 'button', tabindex: '-1', 'aria-label': target.text, 'data-token': target.token };
    for (const [name, value] of Object.entries(facts)) light.setAttribute(name, value);
    element.setAttribute('data-lit', '');
    this.#lit.push({ target, element, light });
  }

  /** A ring along the edge of an element's largest shape, with a halo that parts it from every ground. What is too small
   * for its ring to be seen and touched gets a round one. @param {SVGGraphicsElement} element @param {string} name */
  #ring(element, name) {
    const least = Math.max(LEAST_UNITS, LEAST_PIXELS / (element.getScreenCTM()?.a || 1));
    const shape = largest(element);
    const box = (shape ?? element).getBBox();
    const isLarge = shape !== null && Math.min(box.width, box.height) >= least;
    const edge = isLarge ? outline(shape) : round(box, least);
    const ring = document.createElementNS(SVG, 'g');
    ring.setAttribute('class', name);
    const place = element.getAttribute('transform');
    if (place) ring.setAttribute('transform', place);
    // A large shape may have an edge of its own, in the colour of a seat: the ring glows, that edge does not.
    for (const part of isLarge ? ['glow', 'halo', 'edge'] : ['halo', 'edge']) {
      const line = /** @type {SVGElement} */ (edge.cloneNode());
      line.setAttribute('class', part);
      ring.append(line);
    }
    this.#lightsBeside(element).append(ring);
    return ring;
  }

  /** The group for the rings of an element and its neighbours: above all that can be named there, and below whatever lies
   * on top of it, such as a jeep on a path. @param {SVGGraphicsElement} element */
  #lightsBeside(element) {
    const parent = /** @type {Element} */ (element.parentElement);
    const known = this.#lights.get(parent);
    if (known) return known;
    const lights = document.createElementNS(SVG, 'g');
    lights.setAttribute('class', 'lights');
    [...parent.children].findLast((one) => one.hasAttribute('data-token'))?.after(lights);
    this.#lights.set(parent, lights);
    return lights;
  }

  /** Nothing may be touched. */
  dim() {
    for (const { element } of this.#lit) element.removeAttribute('data-lit');
    this.#lit = [];
    for (const lights of this.#lights.values()) lights.remove();
    this.#lights.clear();
    this.svg?.setAttribute('role', 'img');
  }

  /** Scrolls to what is lit if none of it can be seen, on a phone for example. @param {number} covered pixels at the
   * bottom of the window that are covered */
  reveal(covered) {
    const bottom = innerHeight - covered;
    const table = this.place.getBoundingClientRect();
    const isSeen = (/** @type {DOMRect} */ { top, height }) => top + height / 2 > 0 && top + height / 2 < bottom;
    if (!this.#lit.length || table.bottom < 0 || table.top > innerHeight) return;
    if (this.#lit.some(({ light }) => isSeen(light.getBoundingClientRect()))) return;
    const { top, height } = this.#lit[0].light.getBoundingClientRect();
    scrollBy({ top: top + height / 2 - bottom / 2, behavior: isCalm() ? 'auto' : 'smooth' });
  }

  get hasLights() {
    return this.#lit.length > 0;
  }

  focus() {
    this.#lit.find(({ light }) => light.getAttribute('tabindex') === '0')?.light.focus({ preventScroll: true });
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const path = event.composedPath();
    const hit = this.#lit.find(({ element }) => path.includes(element)) ?? this.#near(event.clientX, event.clientY);
    if (hit) return this.touch(hit.target);
    const named = path.find((one) => one instanceof Element && one.hasAttribute('data-token'));
    if (named instanceof Element) this.miss(named);
  }

  /** The lit element nearest to a point. @param {number} x @param {number} y */
  #near(x, y) {
    const byDistance = this.#lit
      .map((lit) => {
        const { left, right, top, bottom } = lit.light.getBoundingClientRect();
        const distance = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
        const toCentre = Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
        return { lit, distance, toCentre };
      })
      .filter(({ distance }) => distance < REACH)
      .sort((a, b) => a.distance - b.distance || a.toCentre - b.toCentre);
    return byDistance[0]?.lit ?? null;
  }

  /** Enter and space touch; arrow keys go to the next lit element in their direction. @param {KeyboardEvent} event */
  #key(event) {
    const at = this.#lit.find(({ light }) => light === this.#focused());
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return this.touch(at.target);
    }
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (!dx && !dy) return;
    event.preventDefault();
    event.stopPropagation();
    const centre = (/** @type {Element} */ element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    };
    const [x, y] = centre(at.light);
    const ahead = this.#lit
      .map((lit) => {
        const [cx, cy] = centre(lit.light);
        const along = (cx - x) * dx + (cy - y) * dy;
        const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
        return { lit, along, cost: along + 2 * aside };
      })
      .filter(({ along }) => along > 2)
      .sort((a, b) => a.cost - b.cost);
    const to = ahead[0]?.lit ?? this.#lit[(this.#lit.indexOf(at) + (dx + dy) + this.#lit.length) % this.#lit.length];
    at.light.setAttribute('tabindex', '-1');
    to.light.setAttribute('tabindex', '0');
    to.light.focus();
  }

  #showFocus() {
    const focused = this.#focused();
    for (const { light } of this.#lit) light.classList.toggle('focused', light === focused);
  }
}
