// A page as the makers of formats get it.
import type { PageSource } from '../../src/page/understanding.ts';
import { dataOf } from './structured-data.ts';

export function pageSource(html: string, url = 'https://shop.test/p/1', markdown = ''): PageSource {
  const title = /<title>([^<]*)/.exec(html)?.[1];
  const language = /<html lang="?([\w-]+)/.exec(html)?.[1];
  return {
    url,
    ...(title !== undefined && { title }),
    ...(language !== undefined && { language }),
    markdown,
    data: dataOf(html, url),
  };
}
