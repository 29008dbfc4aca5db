// Colours as a page writes them, in numbers that can be compared: OKLab, in which equal distances look equally far apart.
import { converter, formatHex, parse, type Rgb } from 'culori';

export interface Color {
  hex: string;
  /** Lightness from 0 to 1, and the two axes of OKLab. */
  l: number;
  a: number;
  b: number;
  /** How colourful it is: about 0 for grey, 0.1 for a clear colour, 0.3 at most. */
  chroma: number;
}

const toRgb = converter('rgb');
const toOklab = converter('oklab');
const WHITE: Rgb = { mode: 'rgb', r: 1, g: 1, b: 1 };
/** Two colours that are closer count as one. Shades of a button when hovered or pressed are closer than this. */
const SAME = 0.08;
const CHROMATIC = 0.045;
/** So little of the background shines through that the colour can be named. */
const OPAQUE = 0.05;

/** Undefined for no colour, and for one that can hardly be seen. `behind` shines through if it is translucent. */
export function readColor(text: string, behind?: string): Color | undefined {
  const color = toRgb(parse(text));
  if (!color || (color.alpha ?? 1) < OPAQUE) return undefined;
  const alpha = color.alpha ?? 1;
  const below = (alpha < 1 && behind !== undefined && toRgb(parse(behind))) || WHITE;
  const mix = (one: number, other: number) => Math.min(1, Math.max(0, one * alpha + other * (1 - alpha)));
  const mixed: Rgb = {
    mode: 'rgb',
    r: mix(color.r, below.r),
    g: mix(color.g, below.g),
    b: mix(color.b, below.b),
  };
  const { l, a, b } = toOklab(mixed);
  return { hex: formatHex(mixed).toUpperCase(), l, a, b, chroma: Math.hypot(a, b) };
}

export const distance = (one: Color, other: Color): number =>
  Math.hypot(one.l - other.l, one.a - other.a, one.b - other.b);

export const isSame = (one: Color, other: Color): boolean => distance(one, other) < SAME;

/** Neither grey nor so dark or light that it looks grey. */
export const isChromatic = ({ l, chroma }: Color): boolean => chroma >= CHROMATIC && l > 0.15 && l < 0.97;

const MAX_STOPS = 8;

/** The colours of a gradient, in its order. */
export function gradientColors(image: string): Color[] {
  const written = image.match(/(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\([^()]*\)|#[0-9a-f]{3,8}\b/gi) ?? [];
  return written.slice(0, MAX_STOPS).flatMap((text) => readColor(text) ?? []);
}

export interface Weighed {
  color: Color;
  weight: number;
}

/** Adds up the weights of colours that look the same. The heaviest of them stands for all; heaviest first. */
export function mergeColors(colors: readonly Weighed[]): Weighed[] {
  const exact = new Map<string, Weighed>();
  for (const { color, weight } of colors) {
    const known = exact.get(color.hex);
    if (known) known.weight += weight;
    else exact.set(color.hex, { color, weight });
  }
  const merged: Weighed[] = [];
  for (const each of byWeight([...exact.values()])) {
    const near = merged.find(({ color }) => isSame(color, each.color));
    if (near) near.weight += each.weight;
    else merged.push({ ...each });
  }
  return byWeight(merged);
}

const byWeight = (colors: Weighed[]): Weighed[] => colors.sort((one, other) => other.weight - one.weight);
