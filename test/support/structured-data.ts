// The structured data of a page, as the transform reads it.
import { createPageUrls } from '../../src/markup/html/page-urls.ts';
import { parseHtml } from '../../src/markup/html/parse-html.ts';
import { structuredData } from '../../src/transform/structured-data/structured-data.ts';

export function dataOf(html: string, url = 'https://site.test/shop/page') {
  const tree = parseHtml(html);
  return structuredData(tree, createPageUrls(tree, url));
}

export const jsonLd = (json: unknown): string =>
  `<script type="application/ld+json">${typeof json === 'string' ? json : JSON.stringify(json)}</script>`;
