// The widths and themes in which pages of the console are looked at.
import type { Tier } from './tier.ts';

export const WIDTHS = { desktop: 1_440, tablet: 820, phone: 390 } as const;

const DESKTOP = { width: WIDTHS.desktop, theme: 'light' } as const;
/** Each width once, and both themes: colours do not depend on the width. */
export const VIEWS = {
  short: [DESKTOP],
  full: [{ width: WIDTHS.phone, theme: 'light' }, { width: WIDTHS.tablet, theme: 'dark' }, DESKTOP],
} as const satisfies Record<Tier, unknown>;
