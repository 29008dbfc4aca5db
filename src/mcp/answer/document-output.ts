// A page as tools return it: its schema, and what stays of it when an answer is too long.
import { z } from 'zod';
import { formatsWhere, keyOf } from '../../contracts/formats/format-traits.ts';
import type { Document } from '../../contracts/scrape/document.ts';
import { scrapeUri } from '../resources/uris.ts';
import type { ResourceLink } from '../tool.ts';
import type { Shortened } from './shorten.ts';

const text = z.string().nullable().optional();

const metadata = z.looseObject({ url: z.string().optional(), scrapeId: z.string().optional() }).optional();

/** A page of many. Schemas are read by models, so they name only what matters; the fields are those of a scrape. */
export const pageOfMany = { markdown: text, metadata };

/** A page has only the formats that were asked for. */
export const documentFields = {
  markdown: text,
  html: text,
  rawHtml: text,
  links: z.array(z.string()).optional(),
  summary: text,
  json: z.unknown().optional(),
  answer: text,
  screenshot: text,
  warning: text,
  metadata,
};

/** What a reader needs to know of a page; the meta tags of the page can be longer than its text. */
const ESSENTIAL = new Set([
  ...['title', 'description', 'language', 'sourceURL', 'url', 'statusCode', 'error', 'verdict', 'contentType'],
  ...['numPages', 'totalPages', 'sourceFile', 'scrapeId', 'tlsVerified', 'cacheState', 'cachedAt', 'creditsUsed'],
]);

export type PageOfAnswer = Partial<Document>;

/** For an answer that is too long. */
export function withEssentials<Page extends { metadata?: object | undefined }>(page: Page): Page {
  if (page.metadata === undefined) return page;
  const kept = Object.entries(page.metadata).filter(([name]) => ESSENTIAL.has(name));
  return { ...page, metadata: Object.fromEntries(kept) };
}

const MAX_LINKS = 10;

interface LinkedPage {
  /** Path in the answer: empty, or such as `.data[3]`. */
  path: string;
  metadata?: { scrapeId?: string; title?: unknown; url?: string } | undefined;
}

/** Links to the rest of the texts that were cut, in the order of the pages. */
export function restOfPages(pages: readonly LinkedPage[], { texts }: Shortened<unknown>): ResourceLink[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return texts
    .flatMap(({ path, shown }): ResourceLink[] => {
      const [, start, format] = /^(.*)\.(\w+)$/s.exec(path) ?? [];
      const { metadata } = byPath.get(start ?? '') ?? {};
      if (format === undefined || metadata?.scrapeId === undefined || !TEXT_KEYS.has(format)) return [];
      const uri = scrapeUri(metadata.scrapeId, { ...(format !== 'markdown' && { format }), offset: shown });
      return [{ uri, name: `Rest of ${format}`, ...(metadata.url && { description: metadata.url }) }];
    })
    .slice(0, MAX_LINKS);
}

const TEXT_KEYS = new Set<string>(formatsWhere(({ content }) => content === 'prose' || content === 'html').map(keyOf));
