// Pages for searches. For each condition, the page that violates it ranks first unless the condition is given.
import { textOf } from './crawl-text.ts';
import { png } from './files.ts';
import { escapeHtml, HTML, reply, type Site } from './reply.ts';

export interface SearchPage {
  /** `host/path`. */
  at: string;
  title: string;
  /** Paragraphs about the topic, followed by words that repeat it. */
  text: string;
  language?: string;
  description?: string;
  /** Additional head elements. */
  head?: string;
  /** Additional content, as HTML. */
  html?: string;
  published?: Date;
  isNews?: true;
  /** Only the text, without filler. */
  isShort?: true;
  /** Served once; later requests get an image, which has no text. */
  isOnceOnly?: true;
  /** The path it redirects to instead of being shown. */
  movedTo?: string;
  /** Content type of a text that is sent unchanged. */
  type?: string;
}

/** HTML with unique words around the topic, so that no two pages are alike; or the bare text, if it has a type. */
export function searchPage(page: SearchPage): string {
  const {
    at,
    title,
    text,
    language = 'en',
    description,
    head = '',
    html = '',
    published,
    isNews,
    isShort,
    type,
  } = page;
  if (type !== undefined) return text;
  const metas = [
    description && `<meta name="description" content="${escapeHtml(description)}">`,
    published && `<meta property="article:published_time" content="${published.toISOString()}">`,
    isNews && `<script type="application/ld+json">${newsArticle(page)}</script>`,
  ];
  const paragraphs = text
    .split('\n')
    .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
    .join('\n');
  const filler = language === 'en' && !isShort ? textOf(at) : '';
  return (
    `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
    `${metas.filter(Boolean).join('')}${head}</head>\n<body><main><article><h1>${escapeHtml(title)}</h1>\n` +
    `${paragraphs}\n${html}\n${filler}</article></main></body></html>\n`
  );
}

const newsArticle = ({ title, published }: SearchPage): string =>
  JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: title,
    datePublished: published?.toISOString(),
  });

const picture = reply(() => png(1, 1), { type: 'image/png' });

/** The hosts that serve these pages. */
export function searchSites(pages: readonly SearchPage[]): Record<string, Site> {
  const sites: Record<string, Site> = {};
  for (const page of pages) {
    const slash = page.at.indexOf('/');
    const host = page.at.slice(0, slash);
    sites[host] ??= {};
    const answer = page.movedTo
      ? reply('', { status: 301, headers: { location: page.movedTo } })
      : reply(searchPage(page), { type: page.type ?? HTML });
    sites[host][page.at.slice(slash)] = (exchange) =>
      (page.isOnceOnly && exchange.visit > 1 ? picture : answer)(exchange);
  }
  return sites;
}
