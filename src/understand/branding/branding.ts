// The branding of a page, from how it looks: its colours, fonts, distances, buttons, logo and name. A key without evidence
// is left out; nothing is guessed.
import type { Branding } from '../../contracts/formats/branding.ts';
import type { LogoCandidate, PageStyles } from '../../page/page-styles.ts';
import { brandNameOf } from './brand-name.ts';
import { componentStyle, fieldStyle, mainButtons, rankButtons } from './buttons.ts';
import { readColor } from './colors.ts';
import { backgroundOf, paletteOf } from './palette.ts';
import { animationsOf, iconsOf, layoutOf, spacingOf } from './spacing.ts';
import { svgDataUri, writeSvg } from './svg.ts';
import { typographyOf } from './typography.ts';

/** Which of the candidates to use, by their number. Null: none of them. Absent: as the rules decide. */
export interface BrandChoices {
  logo?: number | null;
  primaryButton?: number | null;
  secondaryButton?: number | null;
}

/** Candidates in words, for a choice by meaning. */
export interface BrandCandidates {
  logos: string[];
  buttons: string[];
}

export interface BrandingWork {
  make(styles: PageStyles, url: string, choices: BrandChoices): Promise<Branding>;
  candidates(styles: PageStyles): Promise<BrandCandidates>;
}

const MAX_CANDIDATES = 10;
const FOREIGN = /(^|[^a-z])(partner|client|customer|sponsor|payment|trusted|press)/i;

export function brandingOf(styles: PageStyles, url: string, choices: BrandChoices = {}): Branding {
  const background = backgroundOf(styles);
  const buttons = rankButtons(styles.buttons, background);
  const ruled = mainButtons(buttons);
  const chosen = (choice: number | null | undefined, rule: (typeof buttons)[number] | undefined) =>
    choice === undefined ? rule : choice === null ? undefined : (buttons[choice - 1] ?? rule);
  const primary = chosen(choices.primaryButton, ruled.primary);
  const secondary = chosen(choices.secondaryButton, ruled.secondary);
  const palette = paletteOf(styles, buttons, primary);
  const logo = logoOf(styles, choices.logo);
  const image = logo && pictureOf(logo);
  const name = brandNameOf(styles, url, logo?.alt);
  const input = fieldStyle(styles.inputs);
  const { fonts, typography } = typographyOf(styles);
  const parts: Branding = {
    fonts: fonts.length > 0 ? fonts : undefined,
    colors: Object.fromEntries(Object.entries(palette.colors).map(([key, { hex }]) => [key, hex])),
    typography,
    spacing: spacingOf(styles),
    components: {
      ...(primary && { buttonPrimary: componentStyle(primary.style) }),
      ...(secondary && secondary !== primary && { buttonSecondary: componentStyle(secondary.style) }),
      ...(input && { input }),
    },
    icons: iconsOf(styles, (color) => readColor(color, styles.canvas)?.hex),
    images: {
      ...(image && { logo: image }),
      ...(logo?.href && { logoHref: logo.href }),
      ...(logo?.alt && { logoAlt: logo.alt }),
      ...(styles.favicon && { favicon: styles.favicon }),
      ...(styles.ogImage && { ogImage: styles.ogImage }),
    },
    animations: animationsOf(styles),
    layout: layoutOf(styles),
  };
  return {
    colorScheme: palette.background.l < 0.5 ? 'dark' : 'light',
    ...(name && { brandName: name }),
    ...(image && { logo: image }),
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part && Object.keys(part).length > 0)),
  };
}

/** Those that a link to the front page or their own name marks; the collector has put the best first. */
function logoOf({ logos }: PageStyles, choice: number | null | undefined): LogoCandidate | undefined {
  if (choice === null) return undefined;
  const marked = logos.find(
    ({ isHomeLink, label }) => !FOREIGN.test(label) && (isHomeLink || /logo|brand|wordmark/i.test(label)),
  );
  return (choice !== undefined && logos[choice - 1]) || marked;
}

const pictureOf = ({ svg, url, rect }: LogoCandidate): string | undefined =>
  svg ? svgDataUri(writeSvg(svg, rect)) : url && /^(https?|data:image\/)/.test(url) ? url : undefined;

/** In the order of their numbers, which start at 1. */
export function brandCandidates(styles: PageStyles): BrandCandidates {
  const logos = styles.logos
    .slice(0, MAX_CANDIDATES)
    .map(({ kind, alt, label, place, rect, isHomeLink, url }) =>
      JSON.stringify({ kind, alt, label, place, ...rect, isHomeLink, url: url?.slice(0, 200) }),
    );
  const buttons = rankButtons(styles.buttons, backgroundOf(styles))
    .slice(0, MAX_CANDIDATES)
    .map(({ style, fill, count }) =>
      JSON.stringify({
        text: style.text,
        label: style.label,
        place: style.place,
        fill: fill?.hex ?? 'none',
        count,
        ...style.rect,
      }),
    );
  return { logos, buttons };
}
