// What a page is, for people who filter by it: a news article, an ordinary page, or a file of a type.
import { IS_NEWS } from './page-facts.ts';

const HTML = ['html', 'htm', 'xhtml'];

/** `type` is the name in the columns: the fetched type, then perhaps the extension of the URL. */
export function kindOf(type: string, flags: number): string {
  if ((flags & IS_NEWS) !== 0) return 'news';
  const fetched = fetchedType(type);
  return HTML.includes(fetched) ? 'page' : fetched;
}

export const fetchedType = (type: string): string => type.split(',')[0]!;
