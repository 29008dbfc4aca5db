// The evidence that all rules share: the response, what was read from the page, and the known marks and phrases.
import { headingSays, titleSays } from './page-phrases.ts';
import type { Signals } from './page-signals.ts';
import type { Structure } from './page-structure.ts';
import type { Marks } from './vendor-marks.ts';

export interface JudgedPage {
  url: string;
  status: number;
  headers: Record<string, string>;
}

export interface Evidence {
  page: JudgedPage;
  /** One `name: value` per line, in lower case. */
  headerLines: string;
  signals: Signals;
  structure: Structure;
  marks: Marks;
}

/** Does the title or one of the first headings consist of such a phrase? */
export function isNamed({ signals }: Evidence, phrases: readonly string[]): boolean {
  return titleSays(signals.title, phrases) || signals.headings.some((heading) => headingSays(heading, phrases));
}

/** The text in which vendors leave their marks: the URL and the structure of the page. */
export function markedText({ page, structure }: Evidence): string {
  if (!URL.canParse(page.url)) return structure.marks;
  const { host, pathname } = new URL(page.url);
  return `${host}${pathname.toLowerCase()} ${structure.marks}`;
}

export const totalWords = ({ signals }: Evidence): number => signals.ownWords + signals.frameWords;
