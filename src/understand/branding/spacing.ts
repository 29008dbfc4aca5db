// Distances, corners, grids and movements of a page: the values that most of its elements share.
import type { Branding } from '../../contracts/formats/branding.ts';
import type { PageStyles } from '../../page/page-styles.ts';

/** Largest first: all multiples of 8 are multiples of 4 as well. */
const UNITS = [10, 8, 6, 5, 4];
/** So many of the distances must be multiples of the unit. */
const FITTING = 0.7;
const MIN_DISTANCES = 3;
const MIN_ICONS = 3;
const MIN_TRANSITIONS = 2;

export function spacingOf(styles: PageStyles): NonNullable<Branding['spacing']> {
  const baseUnit = baseUnitOf(styles);
  const gutter = styles.grids.find(({ gap }) => gap > 0)?.gap;
  // Percentages are the circles of portraits and badges.
  const radius = styles.radii.map(({ value }) => value.split(' ')[0]!).find((value) => value.endsWith('px'));
  return {
    ...(baseUnit !== undefined && { baseUnit }),
    ...(gutter !== undefined && { gridGutter: gutter }),
    ...(radius && { borderRadius: radius }),
  };
}

function baseUnitOf({ spacings }: PageStyles): number | undefined {
  const distances = spacings.filter(({ px }) => px >= 4 && px <= 160);
  if (new Set(distances.map(({ px }) => px)).size < MIN_DISTANCES) return undefined;
  // One style repeated in a hundred rows says hardly more than once.
  const weight = (fitting: typeof distances) => fitting.reduce((sum, { count }) => sum + Math.log2(1 + count), 0);
  const total = weight(distances);
  const fitting = (unit: number) => weight(distances.filter(({ px }) => px % unit === 0)) / total;
  return UNITS.find((unit) => fitting(unit) >= FITTING);
}

export function layoutOf({ grids, widths, headerHeight, footerHeight }: PageStyles): NonNullable<Branding['layout']> {
  const grid = {
    ...(grids[0] && { columns: grids[0].columns }),
    ...(widths[0] && { maxWidth: `${widths[0].px}px` }),
  };
  return {
    ...(Object.keys(grid).length > 0 && { grid }),
    ...(headerHeight !== undefined && { headerHeight: `${Math.round(headerHeight)}px` }),
    ...(footerHeight !== undefined && { footerHeight: `${Math.round(footerHeight)}px` }),
  };
}

export function animationsOf({ transitions: [most] }: PageStyles): NonNullable<Branding['animations']> {
  return most && most.count >= MIN_TRANSITIONS ? { transitionDuration: most.duration, easing: most.easing } : {};
}

export function iconsOf(
  { icons }: PageStyles,
  hexOf: (color: string) => string | undefined,
): NonNullable<Branding['icons']> {
  const count = (isOutline: boolean) =>
    icons.filter((icon) => icon.isOutline === isOutline).reduce((sum, icon) => sum + icon.count, 0);
  const [outline, filled] = [count(true), count(false)];
  if (outline + filled < MIN_ICONS) return {};
  const color = icons[0] && hexOf(icons[0].color);
  return { style: outline > filled ? 'outline' : 'filled', ...(color && { primaryColor: color }) };
}
