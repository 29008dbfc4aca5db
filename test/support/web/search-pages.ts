// Pages for searches: small hosts where, for each condition, the page that breaks it ranks first while nobody asks for it.
import { textOf } from './crawl-text.ts';
import { png } from './files.ts';
import { escapeHtml, HTML, reply, type Site } from './reply.ts';

export interface SearchPage {
  /** `host/path`. */
  at: string;
  title: string;
  /** The paragraphs about the topic; words that repeat it come after. */
  text: string;
  language?: string;
  description?: string;
  /** More of the head. */
  head?: string;
  /** More of the content, as HTML. */
  html?: string;
  published?: Date;
  isNews?: true;
  /** Nothing but the text. */
  isShort?: true;
  /** Can be read once; whoever comes again gets a picture, of which no text can be made. */
  isOnceOnly?: true;
  /** Sent as it is, with this content type. */
  type?: string;
}

/** A page as HTML, with words of its own around the topic so that no two are alike; or the text itself, if it has a type. */
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

/** The hosts that have these pages. */
export function searchSites(pages: readonly SearchPage[]): Record<string, Site> {
  const sites: Record<string, Site> = {};
  for (const page of pages) {
    const slash = page.at.indexOf('/');
    const host = page.at.slice(0, slash);
    sites[host] ??= {};
    const answer = reply(searchPage(page), { type: page.type ?? HTML });
    sites[host][page.at.slice(slash)] = (exchange) =>
      (page.isOnceOnly && exchange.visit > 1 ? picture : answer)(exchange);
  }
  return sites;
}
