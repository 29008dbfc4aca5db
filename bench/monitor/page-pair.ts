// Two versions of a page, and whether a person who watches it wants to hear of the difference.

export interface PagePair {
  name: string;
  before: string;
  after: string;
  /** False: only noise. */
  isReal: boolean;
}

/** Each edit replaces all occurrences of a text by another one. */
type Edits = readonly (readonly [from: string, to: string])[];

export interface WatchedPage {
  page: string;
  html: string;
  noise: Record<string, Edits>;
  real: Record<string, Edits>;
}

export const pairsOf = ({ page, html, noise, real }: WatchedPage): PagePair[] => [
  ...Object.entries(noise).map(([name, edits]) => pair(page, name, html, edits, false)),
  ...Object.entries(real).map(([name, edits]) => pair(page, name, html, edits, true)),
];

function pair(page: string, change: string, before: string, edits: Edits, isReal: boolean): PagePair {
  const name = `${page}: ${change}`;
  const after = edits.reduce((html, [from, to]) => {
    if (!html.includes(from)) throw new Error(`${name}: the page does not contain "${from}".`);
    return html.replaceAll(from, to);
  }, before);
  return { name, before, after, isReal };
}

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
