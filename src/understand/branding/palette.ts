// The colours of a brand: what they are used for, how much of the page they cover, and how colourful they are.
import type { PageStyles, StyledText } from '../../page/page-styles.ts';
import type { Button } from './buttons.ts';
import { type Color, gradientColors, isChromatic, isSame, mergeColors, readColor, type Weighed } from './colors.ts';

export interface Palette {
  background: Color;
  /** For the keys of the answer. */
  colors: Record<string, Color>;
}

/** What browsers give to links without a style. */
const UNSTYLED = ['#0000EE', '#551A8B'];
/** Only variables can name these. Those for the brand prove nothing alone: frameworks define many that are never used. */
const MEANINGS: readonly [string, RegExp][] = [
  ['success', /success|positive/i],
  ['warning', /warning|caution/i],
  ['error', /error|danger|negative/i],
];
const NAMED_BRAND = /primary|brand/i;
/** How much each use says about the brand. */
const WEIGHTS = { button: 3, otherButton: 1, area: 2, header: 1, link: 1.5, heading: 1.5, logo: 2, theme: 1, named: 1 };
/** A secondary text colour has at least this share of the text. */
const MINOR_TEXT = 0.03;
/** Less evidence than this share of the first colour's is an accident. */
const MINOR_COLOR = 0.06;

/** What most of the text stands on; without text, what covers most of the page. */
export function backgroundOf({ grounds, areas, canvas }: PageStyles): Color {
  const below = grounds.flatMap(({ color, characters }) => weighed(readColor(color, canvas), characters));
  const painted = areas.flatMap(({ color, area }) => weighed(readColor(color, canvas), Math.max(0, area)));
  const [ground] = mergeColors(below.length > 0 ? below : painted);
  return ground?.color ?? readColor(canvas) ?? readColor('white')!;
}

export function paletteOf(styles: PageStyles, buttons: readonly Button[], primaryButton?: Button): Palette {
  const background = backgroundOf(styles);
  const [textPrimary, textSecondary] = textColors(styles);
  const link = mostUsed(styles.texts.filter(({ role }) => role === 'link'));
  const brand = brandColors(styles, buttons, primaryButton);
  const [primary] = brand;
  const others = brand.slice(1);
  const called = [primaryButton?.fill, link].find(
    (color) => color && isChromatic(color) && !UNSTYLED.includes(color.hex) && primary && !isSame(color, primary),
  );
  const accent = (called && others.find((color) => isSame(color, called))) ?? called ?? others[0];
  const secondary = others.find((color) => !accent || !isSame(color, accent));
  const named = {
    // Brands in black and white have the colour of their buttons or headings.
    primary: primary ?? primaryButton?.fill ?? mostUsed(styles.texts.filter(isHeading)) ?? textPrimary,
    secondary,
    accent,
    background,
    textPrimary,
    textSecondary,
    link,
    ...meanings(styles),
  };
  const colors = Object.entries(named).filter((entry): entry is [string, Color] => entry[1] !== undefined);
  return { background, colors: Object.fromEntries(colors) };
}

const isHeading = ({ role }: StyledText): boolean => /^h\d|heading/.test(role);

function textColors({ texts, canvas }: PageStyles): Color[] {
  const body = texts.filter(({ role }) => role === 'body' || role === 'small');
  const inPage = body.filter(({ place }) => place === 'page');
  const shown = inPage.length > 0 ? inPage : body.length > 0 ? body : texts;
  const merged = mergeColors(shown.flatMap(({ color, characters }) => weighed(readColor(color, canvas), characters)));
  const total = merged.reduce((sum, { weight }) => sum + weight, 0);
  return merged.filter(({ weight }, at) => at === 0 || weight >= total * MINOR_TEXT).map(({ color }) => color);
}

/** In the content of the page, if there is any: menus have their own colours. */
function mostUsed(texts: readonly StyledText[]): Color | undefined {
  const inPage = texts.filter(({ place }) => place === 'page');
  const shown = inPage.length > 0 ? inPage : texts;
  return mergeColors(shown.flatMap(({ color, characters }) => weighed(readColor(color), characters)))[0]?.color;
}

/** Colourful colours by the weight of their evidence. */
function brandColors(styles: PageStyles, buttons: readonly Button[], primaryButton?: Button): Color[] {
  const { areas, gradients, texts, canvas, viewport, height } = styles;
  const total = Math.max(1, viewport.width * height);
  const evidence: Weighed[] = [];
  const add = (color: Color | undefined, weight: number) => {
    if (color && isChromatic(color) && !UNSTYLED.includes(color.hex))
      evidence.push({ color, weight: weight * Math.min(1, color.chroma / 0.1) });
  };
  for (const { color, place, area } of areas) {
    const share = Math.sqrt(Math.min(1, Math.max(0, area) / total));
    add(readColor(color, canvas), WEIGHTS.area * share + (place === 'header' && area > 0 ? WEIGHTS.header : 0));
  }
  for (const { image, area } of gradients) {
    const stops = gradientColors(image);
    for (const color of stops) add(color, (WEIGHTS.area * Math.sqrt(Math.min(1, area / total))) / stops.length);
  }
  for (const button of buttons) add(button.fill, button === primaryButton ? WEIGHTS.button : WEIGHTS.otherButton / 2);
  addTexts(
    texts.filter(({ role }) => role === 'link'),
    WEIGHTS.link,
    add,
  );
  addTexts(texts.filter(isHeading), WEIGHTS.heading, add);
  const logoPaints = logoColors(styles);
  for (const color of logoPaints) add(color, WEIGHTS.logo / logoPaints.length);
  add(readColor(styles.names.themeColor ?? ''), WEIGHTS.theme);
  const merged = mergeColors(evidence);
  for (const { name, value } of styles.variables) {
    const color = NAMED_BRAND.test(name) ? readColor(value) : undefined;
    const seen = color && merged.find((each) => isSame(each.color, color));
    if (seen) seen.weight += WEIGHTS.named;
  }
  merged.sort((one, other) => other.weight - one.weight);
  return merged.filter(({ weight }) => weight >= merged[0]!.weight * MINOR_COLOR).map(({ color }) => color);
}

function addTexts(
  texts: readonly StyledText[],
  weight: number,
  add: (color: Color | undefined, weight: number) => void,
) {
  const total = texts.reduce((sum, { characters }) => sum + characters, 0);
  for (const { color, characters } of texts) add(readColor(color), (weight * characters) / total);
}

/** The paints of the drawing that is most likely the logo. */
function logoColors({ logos }: PageStyles): Color[] {
  const drawing = logos[0]?.svg;
  const paints = new Map<string, Color>();
  for (const open = drawing ? [drawing] : []; open.length > 0; ) {
    const { attributes, children } = open.pop()!;
    for (const name of ['fill', 'stroke', 'stop-color']) {
      const color = readColor(attributes[name] ?? '');
      if (color && isChromatic(color)) paints.set(color.hex, color);
    }
    open.push(...children);
  }
  return [...paints.values()].slice(0, 8);
}

function meanings({ variables }: PageStyles): Record<string, Color> {
  return Object.fromEntries(
    MEANINGS.flatMap(([key, pattern]) => {
      const color = variables
        .filter(({ name }) => pattern.test(name))
        .flatMap(({ value }) => readColor(value) ?? [])[0];
      return color ? [[key, color]] : [];
    }),
  );
}

const weighed = (color: Color | undefined, weight: number): Weighed[] => (color ? [{ color, weight }] : []);
