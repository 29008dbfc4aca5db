// Crawl4AI: a page as Markdown, by main content, whole, by passages or as an answer, and as HTML.
import { z } from 'zod';
import { urlText } from '../../contracts/bounds.ts';
import { validate } from '../../contracts/validate/validate.ts';
import { readVersion } from '../../runtime/version.ts';
import type { DialectAnswer, DialectRequest, DialectTable, Trawl } from '../dialect.ts';
import { errorText } from '../shared/error-text.ts';

const MAX_QUERY = 10_000;

const url = urlText('Set `url` to the page to read.').describe(
  'The page; `https://` is put in front of one without a scheme.',
);

const markdownFields = z.object({
  url,
  f: z
    .enum(['fit', 'raw', 'bm25', 'llm'])
    .default('fit')
    .describe('fit: main content; raw: the whole page; with `q`, bm25: passages, llm: the answer to it.'),
  q: z.string().max(MAX_QUERY).optional().describe('What bm25 and llm ask of the page.'),
  c: z
    .union([z.string().max(10), z.number()])
    .transform(String)
    .default('0')
    .describe('`1` allows a cached copy.'),
});

const htmlFields = z.object({ url });

export const crawl4ai: DialectTable = {
  routes: [
    {
      methods: ['POST'],
      paths: ['/md'],
      summary: 'Read a page as Markdown',
      call: 'scrape',
      takes: markdownFields,
      returns: '`markdown`.',
      answer: readMarkdown,
    },
    {
      methods: ['POST'],
      paths: ['/html'],
      summary: 'Read a page as HTML',
      call: 'scrape',
      takes: htmlFields,
      returns: '`html` without scripts and styles.',
      answer: readHtml,
    },
    {
      methods: ['GET'],
      paths: ['/health'],
      summary: 'Whether the service answers',
      returns: '`status`: `ok`.',
      answer: () => ({ body: { status: 'ok', version: readVersion() } }),
    },
  ],
  // A page that took too long is the fault of a gateway there.
  writeError: (error) => ({ status: error.status === 408 ? 504 : error.status, body: { detail: errorText(error) } }),
};

async function readMarkdown({ body }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { url: sent, f: filter, q, c: cache } = validate(markdownFields, body);
  const isAsked = q !== undefined && q.trim() !== '';
  const kind = isAsked && (filter === 'bm25' || filter === 'llm') ? filter : 'page';
  const { data, warning } = await trawl.call('scrape', {
    body: {
      url: withScheme(sent),
      formats: [formatOf(kind, q ?? '')],
      onlyMainContent: filter !== 'raw',
      ...(cache !== '1' && { maxAge: 0 }),
    },
  });
  const markdown = (kind === 'page' ? data.markdown : kind === 'bm25' ? data.highlights : data.answer) ?? '';
  const unasked =
    filter !== 'fit' && filter !== 'raw' && !isAsked ? `Without \`q\`, ${filter} is the same as fit.` : undefined;
  return {
    body: { url: sent, filter, query: q ?? null, cache, markdown, success: true },
    warnings: [unasked, warning, data.warning],
  };
}

function formatOf(kind: 'page' | 'bm25' | 'llm', q: string): string | object {
  if (kind === 'page') return 'markdown';
  return kind === 'bm25' ? { type: 'highlights', query: q } : { type: 'question', question: q };
}

async function readHtml({ body }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { url: sent } = validate(htmlFields, body);
  const { data, warning } = await trawl.call('scrape', {
    body: { url: withScheme(sent), formats: ['html'], onlyMainContent: false },
  });
  return { body: { html: data.html ?? '', url: sent, success: true }, warnings: [warning, data.warning] };
}

const withScheme = (given: string): string => (/^\s*https?:/i.test(given) ? given : `https://${given.trim()}`);
