// QR codes of all lengths, read by a decoder that is not ours.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { MARGIN, qr, qrPath } from '../../../api/web/lib/qr.js';

const { default: read } = createRequire(`${process.cwd()}/`)('jsqr');
const PIXELS = 3;

/** The code as a camera would see it, in shades of red, green, blue and opacity. */
function photographed(modules) {
  const width = (modules.length + 2 * MARGIN) * PIXELS;
  const shades = new Uint8ClampedArray(4 * width ** 2).fill(255);
  for (let y = 0; y < width; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isDark = modules[Math.floor(y / PIXELS) - MARGIN]?.[Math.floor(x / PIXELS) - MARGIN];
      if (isDark) shades.fill(0, 4 * (y * width + x), 4 * (y * width + x) + 3);
    }
  }
  return [shades, width, width];
}

const link = 'https://play.example/play/game_01jq8z6v0e6x9k2m4n7p8r5t3w?code=K7Q2M9XW4A#seat=1 ';
for (let length = 1; length <= 213; length += 4) {
  const text = link.repeat(3).slice(0, length);
  assert.equal(read(...photographed(qr(text)))?.data, text);
}
const text = 'http://[fe80::1]:8080/play/Übung→';
assert.equal(read(...photographed(qr(text)))?.data, text);
assert.throws(() => qr('x'.repeat(214)), RangeError);

const { size, path } = qrPath(qr(link));
const dark = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)];
assert.equal(size, qr(link).length + 2 * MARGIN);
assert.equal(dark.reduce((sum, run) => sum + Number(run[3]), 0), qr(link).flat().filter(Boolean).length);
assert.equal(dark.map(([run]) => run).join(''), path);
console.log('all of them can be read');
