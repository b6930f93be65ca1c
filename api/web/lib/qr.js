// QR codes (ISO/IEC 18004): bytes in UTF-8, error correction M, versions 1 to 10, so up to 213 bytes: enough for a link.

/** @typedef {boolean[][]} Modules rows of modules; true is dark */

/** Of versions 1 to 10 with error correction M: the bytes of correction in each block, and the number of blocks. */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const MOST = CORRECTION.length;

/** The quiet zone around a code. */
export const MARGIN = 4;

/** @param {number} version */
const sizeOf = (version) => 17 + 4 * version;

/** The coordinates of alignment patterns. @param {number} version */
function alignments(version) {
  if (version === 1) return [];
  const last = sizeOf(version) - 7;
  return version < 7 ? [6, last] : [6, (6 + last) / 2, last];
}

/** How many bytes fit into the modules, correction included. @param {number} version */
function capacity(version) {
  const patterns = functionPatterns(version);
  return Math.floor(patterns.flat().filter((module) => module === null).length / 8);
}

// The field of 256 elements, by the polynomial x^8 + x^4 + x^3 + x^2 + 1.
const POWERS = new Uint8Array(255);
const LOGARITHMS = new Uint8Array(256);
for (let exponent = 0, power = 1; exponent < 255; exponent += 1) {
  POWERS[exponent] = power;
  LOGARITHMS[power] = exponent;
  power = power < 128 ? power << 1 : (power << 1) ^ 0x11d;
}

/** @param {number} a @param {number} b */
const times = (a, b) => (a && b ? POWERS[(LOGARITHMS[a] + LOGARITHMS[b]) % 255] : 0);

/** The Reed–Solomon correction of a block. @param {number[]} data @param {number} degree */
function correction(data, degree) {
  let generator = [1];
  for (let root = 0; root < degree; root += 1) {
    const shifted = [...generator, 0];
    generator = shifted.map((factor, index) => factor ^ times(generator[index - 1] ?? 0, POWERS[root]));
  }
  const remainder = [...data, ...new Array(degree).fill(0)];
  data.forEach((_, at) => {
    const lead = remainder[at];
    generator.forEach((factor, index) => (remainder[at + index] ^= times(factor, lead)));
  });
  return remainder.slice(data.length);
}

/** The remainder of a code with this many check bits. @param {number} value @param {number} bits @param {number} generator */
function checkBits(value, bits, generator) {
  let remainder = value << bits;
  for (let bit = 31; bit >= bits; bit -= 1) {
    if ((remainder >>> bit) & 1) remainder ^= generator << (bit - bits);
  }
  return remainder;
}

/** The smallest version for this many bytes, and its data in order, with correction. @param {Uint8Array} bytes */
function codewords(bytes) {
  for (let version = 1; version <= MOST; version += 1) {
    const [degree, count] = [CORRECTION[version - 1], BLOCKS[version - 1]];
    const room = capacity(version) - degree * count;
    // Four bits say that bytes follow, then comes their number, and at least four bits end them.
    if (bytes.length + (version < 10 ? 2 : 3) <= room) return { version, data: interleave(pad(bytes, version, room), degree, count) };
  }
  throw new RangeError('The text is too long for a QR code.');
}

/** @param {Uint8Array} bytes @param {number} version @param {number} room */
function pad(bytes, version, room) {
  const length = bytes.length.toString(2).padStart(version < 10 ? 8 : 16, '0');
  const bits = `0100${length}${Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')}0000`;
  const data = (bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2));
  for (let filler = 0xec; data.length < room; filler ^= 0xec ^ 0x11) data.push(filler);
  return data;
}

/** Splits data into blocks, the later ones longer by one where it must be, and mixes them. @param {number[]} data
 * @param {number} degree @param {number} count */
function interleave(data, degree, count) {
  const short = Math.floor(data.length / count);
  const long = data.length % count;
  /** @type {number[][]} */
  const blocks = [];
  for (let block = 0, at = 0; block < count; block += 1) {
    const length = short + (block >= count - long ? 1 : 0);
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const corrections = blocks.map((block) => correction(block, degree));
  return [blocks, corrections].flatMap((parts) => {
    const most = Math.max(...parts.map((part) => part.length));
    return Array.from({ length: most }, (_, index) => parts.map((part) => part[index])).flat();
  }).filter((byte) => byte !== undefined);
}

/** The modules that do not depend on the text; null where data goes. @param {number} version
 * @returns {(boolean | null)[][]} */
function functionPatterns(version) {
  const size = sizeOf(version);
  /** @type {(boolean | null)[][]} */
  const modules = Array.from({ length: size }, () => new Array(size).fill(null));
  /** @param {number} x @param {number} y @param {boolean} isDark */
  const set = (x, y, isDark) => {
    if (modules[y]?.[x] !== undefined) modules[y][x] = isDark;
  };
  /** Squares around a centre, dark in these rings. @param {number} cx @param {number} cy @param {boolean[]} rings */
  const square = (cx, cy, rings) => {
    const reach = rings.length - 1;
    for (let y = -reach; y <= reach; y += 1) {
      for (let x = -reach; x <= reach; x += 1) set(cx + x, cy + y, rings[Math.max(Math.abs(x), Math.abs(y))]);
    }
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, [true, true, false, true, false]);
  const places = alignments(version);
  for (const y of places) {
    for (const x of places) {
      const isCorner = (x === 6 && (y === 6 || y === size - 7)) || (x === size - 7 && y === 6);
      if (!isCorner) square(x, y, [true, false, true]);
    }
  }
  // Room for the format, which depends on the mask.
  for (const [x, y] of formatPlaces(size).flat()) set(x, y, false);
  set(8, size - 8, true);
  if (version >= 7) {
    const bits = (version << 12) | checkBits(version, 12, 0x1f25);
    for (let bit = 0; bit < 18; bit += 1) {
      const [near, far] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
      set(near, far, ((bits >> bit) & 1) === 1);
      set(far, near, ((bits >> bit) & 1) === 1);
    }
  }
  return modules;
}

/** The two places of each of the 15 bits of the format, the lowest bit first. @param {number} size */
function formatPlaces(size) {
  return Array.from({ length: 15 }, (_, bit) => {
    const down = bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit;
    const left = bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit;
    return [[8, down], [left, 8]];
  });
}

/** @type {((x: number, y: number) => boolean)[]} */
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The data in its modules, under a mask. @param {number} version @param {number[]} data @param {number} mask */
function draw(version, data, mask) {
  const size = sizeOf(version);
  const patterns = functionPatterns(version);
  const modules = patterns.map((row) => row.map((module) => module === true));
  let bit = 0;
  // Two columns at a time, from the right, up and down in turn. The timing pattern's column is left out.
  for (let right = size - 1, isUp = true; right > 0; right -= right === 8 ? 3 : 2, isUp = !isUp) {
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (patterns[y][x] !== null) continue;
        const isDark = ((data[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        modules[y][x] = (isDark === 1) !== MASKS[mask](x, y);
        bit += 1;
      }
    }
  }
  // Error correction M is 0 in the format.
  const format = ((mask << 10) | checkBits(mask, 10, 0x537)) ^ 0x5412;
  formatPlaces(size).forEach((places, index) => {
    for (const [x, y] of places) modules[y][x] = ((format >> index) & 1) === 1;
  });
  return modules;
}

/** How hard a code is to read: the standard's four penalties. @param {Modules} modules */
function penalty(modules) {
  const size = modules.length;
  const lines = [...modules, ...modules.map((_, x) => modules.map((row) => row[x]))].map((line) => line.map(Number).join(''));
  let sum = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (const finder of ['10111010000', '00001011101']) {
      for (let at = line.indexOf(finder); at >= 0; at = line.indexOf(finder, at + 1)) sum += 40;
    }
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const square = [modules[y][x - 1], modules[y - 1][x], modules[y - 1][x - 1]];
      if (square.every((module) => module === modules[y][x])) sum += 3;
    }
  }
  const dark = modules.flat().filter(Boolean).length / size ** 2;
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

/** The QR code of a text. Throws a RangeError if the text is too long. @param {string} text @returns {Modules} */
export function qr(text) {
  const { version, data } = codewords(new TextEncoder().encode(text));
  const drawn = MASKS.map((_, mask) => draw(version, data, mask));
  const penalties = drawn.map(penalty);
  return drawn[penalties.indexOf(Math.min(...penalties))];
}

/** The dark modules as the path of an SVG, in a square with the quiet zone. @param {Modules} modules
 * @returns {{ size: number, path: string }} */
export function qrPath(modules) {
  const runs = modules.flatMap((row, y) =>
    [...row.map(Number).join('').matchAll(/1+/g)].map((run) => `M${run.index + MARGIN} ${y + MARGIN}h${run[0].length}v1h-${run[0].length}z`),
  );
  return { size: modules.length + 2 * MARGIN, path: runs.join('') };
}
