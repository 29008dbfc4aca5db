// Which buttons of a page are its main one and its second one, and how form fields look.
import type { BrandedComponent } from '../../contracts/formats/branding.ts';
import type { BoxStyle, ButtonStyle } from '../../page/page-styles.ts';
import { type Color, distance, gradientColors, readColor } from './colors.ts';

export interface Button {
  style: ButtonStyle;
  /** Undefined if the button is not filled. */
  fill?: Color;
  /** How many buttons look like it. */
  count: number;
  score: number;
}

const MAIN = /primary|cta|hero|buy|sign-?up|get-?started|submit/i;
const MINOR =
  /secondary|tertiary|ghost|outline|link|close|dismiss|menu|hamburger|toggle|icon|tab|cookie|consent|carousel|slide|prev|next|search|share|play|scroll|social/i;
/** Buttons must differ from the page this much to count as filled. */
const VISIBLE = 0.06;

/** One for each look, best first. */
export function rankButtons(buttons: readonly ButtonStyle[], background: Color): Button[] {
  const looks = new Map<string, Button>();
  for (const style of buttons) {
    if (!/\p{L}{2}/u.test(style.text)) continue;
    const fill = fillOf(style);
    const isSeen = fill && distance(fill, readColor(style.behind) ?? background) > VISIBLE;
    if (!isSeen && !style.borderColor) continue;
    const key = [isSeen && fill.hex, style.color, style.borderColor, ...style.radii].join();
    const score = scoreOf(style, isSeen ? fill : undefined);
    const known = looks.get(key);
    if (!known) looks.set(key, { style, ...(isSeen && { fill }), count: 1, score });
    else {
      known.count += 1;
      if (score > known.score) Object.assign(known, { style, score });
    }
  }
  const total = ({ score, count }: Button) => score + Math.min(1.5, Math.log2(count) / 2);
  return [...looks.values()].sort((one, other) => total(other) - total(one));
}

function scoreOf({ label, place, isSubmit, rect }: ButtonStyle, fill: Color | undefined): number {
  const points: [boolean, number][] = [
    [fill !== undefined, 3],
    [MAIN.test(label), 2],
    [MINOR.test(label), -2],
    [isSubmit, 0.5],
    [place === 'footer', -1],
    [rect.y < 900, 1],
    [rect.height >= 32 && rect.width >= 72, 1],
  ];
  const sum = points.reduce((total, [applies, weight]) => total + (applies ? weight : 0), 0);
  return sum + Math.min(2, (fill?.chroma ?? 0) * 15);
}

const fillOf = ({ background, backgroundImage = '', behind }: BoxStyle): Color | undefined =>
  gradientColors(/gradient/.test(backgroundImage) ? backgroundImage : '')[0] ?? readColor(background, behind);

/** The best, and the best that looks clearly different. */
export function mainButtons(ranked: readonly Button[]): { primary?: Button; secondary?: Button } {
  const [primary] = ranked;
  if (!primary) return {};
  const differs = ({ fill, style }: Button) => {
    if (!fill || !primary.fill) return fill !== primary.fill || style.borderColor !== primary.style.borderColor;
    return distance(fill, primary.fill) > VISIBLE;
  };
  const secondary = ranked.slice(1).find(differs);
  return { primary, ...(secondary && { secondary }) };
}

export function componentStyle(style: BoxStyle): BrandedComponent {
  const { behind, color, borderColor, radii, shadow } = style;
  const [topLeft, topRight, bottomRight, bottomLeft] = radii.map(firstLength) as [string, string, string, string];
  const textColor = readColor(color, behind)?.hex;
  const border = borderColor === undefined ? undefined : readColor(borderColor, behind)?.hex;
  return {
    background: fillOf(style)?.hex ?? 'transparent',
    ...(textColor && { textColor }),
    ...(border && { borderColor: border }),
    borderRadius: topLeft,
    borderRadiusCorners: { topLeft, topRight, bottomRight, bottomLeft },
    ...(shadow !== undefined && { shadow }),
  };
}

/** The look that most form fields share. */
export function fieldStyle(fields: readonly BoxStyle[]): BrandedComponent | undefined {
  const looks = Map.groupBy(fields, ({ background, borderColor, radii }) => [background, borderColor, ...radii].join());
  const [most] = [...looks.values()].sort((one, other) => other.length - one.length);
  return most && componentStyle(most[0]!);
}

/** A corner has two radii if it is elliptic. */
const firstLength = (radius: string): string => radius.split(' ')[0] || '0px';
