// Making elements. Data of others is inserted as text, so that a name cannot be a script.

/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Properties */

/**
 * Makes an element. A property with a hyphen, and `role`, is an attribute; `on…` is a listener.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Properties} [properties] @param {...Child} children @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name.includes('-') || name === 'role' || name === 'for') element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  append(element, children);
  return element;
}

/** @param {Element} element @param {Child[]} children */
export function append(element, children) {
  for (const child of children) if (child) element.append(child);
}

/** @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** @param {Child} label @param {(event: Event) => void} onclick @param {Properties} [properties] */
export const button = (label, onclick, properties = {}) => make('button', { type: 'button', onclick, ...properties }, label);

const SVG = 'http://www.w3.org/2000/svg';

/** Signs that every system shows alike, as paths in a square of 24. */
const SIGNS = {
  first: 'M6 5v14M18 5l-8 7 8 7', back: 'M15 5l-8 7 8 7', on: 'M9 5l8 7-8 7', play: 'M7 4.5v15l12.5-7.5zM9 8v8l6.5-4zM11 11v2l1.5-1z', pause: 'M8 5v14M16 5v14', close: 'M6 6l12 12M18 6L6 18',
};

/** @param {keyof typeof SIGNS} name */
export function sign(name) {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'sign');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', SIGNS[name]);
  svg.append(path);
  return svg;
}

/** A button with a sign instead of words. @param {keyof typeof SIGNS} name @param {string} label
 * @param {(event: Event) => void} onclick @param {Properties} [properties] */
export const signButton = (name, label, onclick, properties = {}) =>
  button(sign(name), onclick, { className: 'icon', title: label, 'aria-label': label, ...properties });

/** A field with its label. @param {string} label @param {HTMLElement} field */
export const labelled = (label, field) => make('label', { className: 'field' }, make('span', {}, label), field);

export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

/** Copies text. Browsers offer the clipboard to secure pages only; in a local network a page is not one.
 * @param {string} text */
export async function copy(text) {
  if (navigator.clipboard) {
    const copied = await navigator.clipboard.writeText(text).then(() => true, () => false);
    if (copied) return true;
  }
  const area = make('textarea', { value: text, className: 'offscreen', 'aria-hidden': 'true' });
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

/** A button that copies, and says so. @param {string} label @param {() => string} text @param {Properties} [properties] */
export function copyButton(label, text, properties = {}) {
  const said = make('span', {}, label);
  return button(said, async () => {
    said.textContent = (await copy(text())) ? 'Copied' : text();
    setTimeout(() => (said.textContent = label), 2000);
  }, properties);
}

/** Offers text as a file. @param {string} name @param {string} text @param {string} type */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
