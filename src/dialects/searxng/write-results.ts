// Results as a page, as CSV and as a feed. What pages have written is escaped, and no script runs in any of them.
import { escapeHtml } from '../../markup/html/escape-html.ts';
import { csvRow } from '../../text/csv-row.ts';
import type { SearxResult } from './results.ts';

export const HTML = 'text/html; charset=utf-8';
export const CSV = 'text/csv; charset=utf-8';
export const RSS = 'application/rss+xml; charset=utf-8';

export function writeHtml(query: string, results: readonly SearxResult[]): string {
  const articles = results.map(
    ({ url, title, content }) =>
      `<article class="result"><h3><a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(title)}</a></h3><p class="content">${escapeHtml(content)}</p></article>`,
  );
  const found = query === '' ? '' : articles.length === 0 ? '<p>Nothing was found.</p>' : articles.join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(query === '' ? 'Search' : query)}</title></head><body>
<form><input name="q" aria-label="Search" value="${escapeHtml(query)}"> <button>Search</button></form>
<main id="urls">
${found}
</main>
</body></html>
`;
}

export const writeCsv = (results: readonly SearxResult[]): string =>
  [
    csvRow(['title', 'url', 'content', 'host', 'engine', 'score', 'type']),
    ...results.map(({ title, url, content, engine, score, parsed_url: parts }) =>
      csvRow([title, url, content, parts[1], engine, score, 'result']),
    ),
  ].join('');

/** `home` is the address of the search. */
export function writeRss(query: string, results: readonly SearxResult[], home: string): string {
  const items = results.map(({ title, url, content, pubdate }) => {
    const date = pubdate === '' ? '' : `<pubDate>${escapeHtml(pubdate)}</pubDate>`;
    return `<item><title>${escapeXml(title)}</title><link>${escapeXml(url)}</link><description>${escapeXml(content)}</description>${date}</item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>${escapeXml(query)}</title><link>${escapeXml(home)}</link><description>Search results for ${escapeXml(query)}</description>
${items.join('\n')}
</channel></rss>
`;
}

/** XML has no place for control characters. */
const escapeXml = (text: string): string => escapeHtml(text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ''));
