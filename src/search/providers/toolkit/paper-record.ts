// A paper from the fields of a catalogue, bounded and tidy.
import type { Paper } from '../../../contracts/search/paper.ts';
import { httpUrl } from './answer-fields.ts';

export const MAX_ABSTRACT = 10_000;
const MAX_AUTHORS = 200;
const MAX_CATEGORIES = 50;
const MAX_FULL_TEXTS = 4;

type Fields = Omit<Paper, 'created' | 'updated' | 'categories' | 'fullTexts'> & {
  /** Dates that start with the ISO day; others are left out. */
  created?: string;
  updated?: string;
  categories?: readonly string[];
  /** Checked here. */
  fullTexts?: readonly unknown[];
};

export function newPaper({ created, updated, categories = [], fullTexts = [], ...fields }: Fields): Paper {
  const [first, last] = [isoDay(created), isoDay(updated)];
  const urls = fullTexts.flatMap((value) => httpUrl(value) ?? []);
  return {
    ...fields,
    authors: fields.authors.filter((name) => name !== '').slice(0, MAX_AUTHORS),
    categories: [...new Set(categories)].slice(0, MAX_CATEGORIES),
    ...(first !== undefined && { created: first }),
    ...(last !== undefined && { updated: last }),
    fullTexts: [...new Set(urls)].slice(0, MAX_FULL_TEXTS),
  };
}

const isoDay = (text: string | undefined): string | undefined =>
  /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(text?.trim() ?? '')?.[0];
