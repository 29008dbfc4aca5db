// What every kind of verdict is judged by: the response, what was read of the page, and the known marks and phrases.
import type { Marks } from './marks.ts';
import type { Signals } from './signals.ts';
import type { Structure } from './structure.ts';

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

/** What the page calls itself: its title and first headings. */
export const namesOf = ({ signals }: Evidence): string[] => [signals.title, ...signals.headings];

export const totalWords = ({ signals }: Evidence): number => signals.ownWords + signals.frameWords;
