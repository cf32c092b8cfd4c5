import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const css = readFileSync(new URL('../../web/styles/colours.css', import.meta.url), 'utf8');
const parts = readFileSync(new URL('../../web/styles/parts.css', import.meta.url), 'utf8');

type Rgb = readonly [number, number, number];

/** The tokens of a theme, whose values are colours of six digits. */
const tokensOf = (selector: string): ReadonlyMap<string, string> => {
  const rule = css.slice(css.indexOf(`${selector} {`)).split('}', 1)[0]!;
  return new Map([...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]));
};
const themes = [
  ['light', tokensOf(':root')],
  ['dark', tokensOf(":root[data-theme='dark']")],
] as const;
const groups = Array.from({ length: 8 }, (_, group) => group);
const pairs = groups.flatMap((a) => groups.filter((b) => b < a).map((b) => [a, b] as const));

const each = (colour: Rgb, change: (part: number, index: number) => number): Rgb =>
  colour.map((part, index) => change(part, index)) as unknown as Rgb;
const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as Rgb;
const linear = (colour: Rgb): Rgb =>
  each(colour, (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));

/** The formula of WCAG 2.2. */
const contrast = (a: Rgb, b: Rgb): number => {
  const light = ([red, green, blue]: Rgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  const [x, y] = [light(linear(a)), light(linear(b))];
  return Math.max(x, y) / Math.min(x, y);
};

/** Kinds of sight: matrices over linear RGB of Machado, Oliveira and Fernandes (2009), for complete blindness. */
const sights: Readonly<Record<string, readonly Rgb[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const dot = (a: Rgb, b: Rgb): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const seen = (colour: Rgb, sight: readonly Rgb[]): Rgb =>
  each(linear(colour), (_, row) => Math.min(1, Math.max(0, dot(sight[row]!, linear(colour)))));

/** CIE L*a*b* of a linear colour, for D65. */
const labOf = (colour: Rgb): Rgb => {
  const root = (t: number): number => (t > 216 / 24_389 ? Math.cbrt(t) : ((24_389 / 27) * t + 16) / 116);
  const x = root(dot([0.4124564, 0.3575761, 0.1804375], colour) / 0.95047);
  const y = root(dot([0.2126729, 0.7151522, 0.072175], colour));
  const z = root(dot([0.0193339, 0.119192, 0.9503041], colour) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
};
/** CIE76, of the sight that tells two colours apart least. */
const distance = (a: Rgb, b: Rgb): number =>
  Math.min(
    ...Object.values(sights).map((sight) => {
      const [one, other] = [labOf(seen(a, sight)), labOf(seen(b, sight))];
      return Math.hypot(...one.map((part, i) => part - other[i]!));
    }),
  );

describe.each(themes)('colours of groups, %s', (_, tokens) => {
  const of = (name: string): Rgb => rgbOf(tokens.get(name)!);

  it('can be read as text on all that they stand on, and seen as shapes', () => {
    for (const group of groups) {
      const text = of(`group-${group}-text`);
      for (const ground of [`group-${group}-tint`, `group-${group}-band`, 'surface', 'background'])
        expect([group, ground, contrast(text, of(ground)) >= 4.5]).toEqual([group, ground, true]);
      for (const ground of ['surface', `group-${group}-band`])
        expect([group, ground, contrast(of(`group-${group}`), of(ground)) >= 3]).toEqual([group, ground, true]);
    }
  });

  it('carry the numbers of the matrix in their strongest tint', () => {
    const share = Number(/\.tint-5 \{\s*background: color-mix\(in srgb, var\(--fill\) (\d+)%/.exec(parts)![1]) / 100;
    for (const group of groups) {
      const cell = each(of(`group-${group}`), (part, i) => share * part + (1 - share) * of('surface')[i]!);
      expect([group, contrast(of('text'), cell) >= 4.5]).toEqual([group, true]);
    }
  });

  it('differ for every kind of sight: more than 28 apart up to four groups, 24 up to eight', () => {
    const closest = (among: typeof pairs): number =>
      Math.min(...among.map(([a, b]) => distance(of(`group-${a}`), of(`group-${b}`))));
    expect(closest(pairs.filter(([a]) => a < 4))).toBeGreaterThan(28.9);
    expect(closest(pairs)).toBeGreaterThan(24);
  });
});
