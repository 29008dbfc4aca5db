// How a rendered page looks, as a browser measures it. Everything in it comes from the page, so every list and text is
// bounded here, whatever the page and its renderer send.
import { z } from 'zod';

/** Longer captures are refused as a whole. */
export const MAX_STYLES_CHARACTERS = 1_500_000;
const MAX_LISTED = 400;

const number = z.number().min(-1e12).max(1e12);
/** A CSS value as the browser computes it: `rgb(0, 0, 0)`, `16px`. */
const value = z.string().max(1_000);
const text = z.string().max(300);
const url = z.string().max(70_000);
const list = <T extends z.ZodType>(item: T, max = MAX_LISTED) => z.array(item).max(max);
const counted = <T extends z.ZodRawShape>(shape: T) => list(z.object({ ...shape, count: number }));

export const PLACES = ['header', 'footer', 'page'] as const;
const place = z.enum(PLACES);

export const TEXT_ROLES = ['h1', 'h2', 'h3', 'heading', 'link', 'button', 'code', 'small', 'body'] as const;

/** In CSS pixels, from the top left of the page. */
const rect = z.object({ x: number, y: number, width: number, height: number });

const boxStyle = z.object({
  background: value,
  /** The gradient or picture on top of the background colour, if there is one. */
  backgroundImage: value.optional(),
  /** The colour that a transparent background shows. */
  behind: value,
  color: value,
  /** Absent if there is no border. */
  borderColor: value.optional(),
  /** Top left, top right, bottom right, bottom left. */
  radii: z.tuple([value, value, value, value]),
  shadow: value.optional(),
  rect,
});

const buttonStyle = boxStyle.extend({
  text,
  /** Tag, type, class and ID, as hints on its purpose. */
  label: text,
  place,
  isSubmit: z.boolean(),
});

/** A drawing as a tree, which is written anew instead of being passed on as markup. */
export interface SvgNode {
  name: string;
  attributes: Record<string, string>;
  text?: string;
  children: SvgNode[];
}
const svgNode: z.ZodType<SvgNode> = z.lazy(() =>
  z.object({
    name: z.string().max(40),
    attributes: z.record(z.string().max(60), z.string().max(70_000)),
    text: text.optional(),
    children: z.array(svgNode).max(400),
  }),
);

const logoCandidate = z.object({
  kind: z.enum(['img', 'svg', 'background']),
  /** URL of the picture; absent for an inline SVG. */
  url: url.optional(),
  svg: svgNode.optional(),
  alt: text,
  /** Classes, IDs and file names of the element and of those around it, as hints on its purpose. */
  label: text,
  /** Where it links to. */
  href: url.optional(),
  isHomeLink: z.boolean(),
  place,
  rect,
});

const pageStyles = z.object({
  viewport: z.object({ width: number, height: number }),
  height: number,
  /** The colour behind the whole page. */
  canvas: value,
  /** The computed `color-scheme`. */
  scheme: value,
  /** Painted areas in square pixels, without what other backgrounds cover. */
  areas: list(z.object({ color: value, place, area: number })),
  /** How much text of the content stands on each background. */
  grounds: list(z.object({ color: value, characters: number })),
  gradients: list(z.object({ image: value, area: number }), 40),
  texts: list(
    z.object({
      role: z.enum(TEXT_ROLES),
      place,
      color: value,
      family: value,
      size: value,
      weight: value,
      lineHeight: value,
      characters: number,
    }),
  ),
  buttons: list(buttonStyle, 80),
  inputs: list(boxStyle, 20),
  logos: list(logoCandidate, 24),
  icons: counted({ isOutline: z.boolean(), color: value }),
  spacings: counted({ kind: z.enum(['padding', 'margin', 'gap']), px: number }),
  radii: counted({ value }),
  transitions: counted({ duration: value, easing: value }),
  grids: list(z.object({ columns: number, gap: number, area: number })),
  /** Widths to which centred containers are limited. */
  widths: counted({ px: number }),
  headerHeight: number.optional(),
  footerHeight: number.optional(),
  /** Colours that the style sheet names: `--color-primary`. */
  variables: list(z.object({ name: text, value }), 100),
  names: z.object({
    title: text.optional(),
    siteName: text.optional(),
    applicationName: text.optional(),
    themeColor: text.optional(),
  }),
  favicon: url.optional(),
  ogImage: url.optional(),
  /** The page has more elements than were looked at. */
  isCut: z.boolean(),
});

export type PageStyles = z.output<typeof pageStyles>;
export type BoxStyle = z.output<typeof boxStyle>;
export type ButtonStyle = z.output<typeof buttonStyle>;
export type LogoCandidate = z.output<typeof logoCandidate>;
export type StyledText = PageStyles['texts'][number];
export type Rect = z.output<typeof rect>;
export type StylePlace = (typeof PLACES)[number];

/** Undefined if that is not what the collector in the page returns. */
export function parsePageStyles(json: unknown): PageStyles | undefined {
  if (typeof json !== 'string' || json.length > MAX_STYLES_CHARACTERS) return undefined;
  try {
    return pageStyles.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
