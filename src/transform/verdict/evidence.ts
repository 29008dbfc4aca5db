// What every kind of verdict is judged by: the response, what was read of the page, and the known marks and phrases.

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
  /** `name: value`, one header a line, in lower case. */
  headerLines: string;
  signals: Signals;
  structure: Structure;
  marks: Marks;
}

/** Does the page call itself so, in its title or in any of its first headings? */
export function isNamed({ signals }: Evidence, phrases: readonly string[]): boolean {
  return titleSays(signals.title, phrases) || signals.headings.some((heading) => headingSays(heading, phrases));
}

/** Where vendors leave their marks: the address that answered, and what the page is made of. */
export function markedText({ page, structure }: Evidence): string {
  if (!URL.canParse(page.url)) return structure.marks;
  const { host, pathname } = new URL(page.url);
  return `${host}${pathname.toLowerCase()} ${structure.marks}`;
}

export const totalWords = ({ signals }: Evidence): number => signals.ownWords + signals.frameWords;
