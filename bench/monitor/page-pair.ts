// Two versions of a page, and whether a person who watches it wants to hear of the difference.

export interface PagePair {
  name: string;
  /** What earlier looks have seen, the oldest first: what is noise has moved each time. */
  earlier: string[];
  before: string;
  after: string;
  /** False: only noise. */
  isReal: boolean;
}

/** Each edit replaces all occurrences of a text by another one. */
type Edits = readonly Edit[];
type Edit = readonly [from: string, to: string];

export interface WatchedPage {
  page: string;
  html: string;
  noise: Record<string, Edits>;
  real: Record<string, Edits>;
}

const LOOKS = 3;

export function pairsOf({ page, html, noise, real }: WatchedPage): PagePair[] {
  const earlier = Array.from({ length: LOOKS }, (_, at) => earlierLook(html, Object.values(noise).flat(), LOOKS - at));
  const pair = (change: string, edits: Edits, isReal: boolean): PagePair => {
    const name = `${page}: ${change}`;
    return { name, earlier, before: html, after: edited(name, html, edits), isReal };
  };
  return [
    ...Object.entries(noise).map(([name, edits]) => pair(name, edits, false)),
    ...Object.entries(real).map(([name, edits]) => pair(name, edits, true)),
  ];
}

const edited = (name: string, before: string, edits: Edits): string =>
  edits.reduce((html, [from, to]) => {
    if (!html.includes(from)) throw new Error(`${name}: the page does not contain "${from}".`);
    return html.replaceAll(from, to);
  }, before);

/** Of what only differs in its numbers, they were smaller; of anything else, the two texts have taken turns. */
const earlierLook = (html: string, edits: Edits, looksAgo: number): string =>
  edits.reduce((page, [from, to]) => {
    const isNumbers = from.replace(/\d+/g, '0') === to.replace(/\d+/g, '0');
    const smaller = from.replace(/\d+/g, (digits) => String(Math.max(0, Number(digits) - 3 * looksAgo)));
    return page.replaceAll(from, isNumbers ? smaller : looksAgo % 2 === 0 ? from : to);
  }, html);

export interface Layout {
  title: string;
  lang?: string;
  header?: string;
  main: string;
  aside?: string;
  footer?: string;
}

export const webPage = ({ title, lang = 'en', header = '', main, aside = '', footer = '' }: Layout): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title></head><body><header>${header}</header><main>${main}</main>${aside && `<aside>${aside}</aside>`}<footer>${footer}</footer></body></html>`;
