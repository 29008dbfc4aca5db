// The Document: how every operation returns a page. A content key is present only if its format was requested.
import { z } from 'zod';
import { BLOCK_TYPES } from '../../page/parsed.ts';
import { branding } from '../formats/branding.ts';
import { chunk } from '../formats/chunk.ts';
import { knowledgeGraph } from '../formats/knowledge-graph.ts';
import { menu } from '../formats/menu.ts';
import { pageChanges } from '../formats/page-changes.ts';
import { product } from '../formats/product.ts';

/** Where values stand, by their path. */
export const citations = z.lazy(() =>
  z.record(
    z.string(),
    z.object({
      url: z.string(),
      text: z.string(),
      start: z.int().describe('Offset in the Markdown of the page, in UTF-16 units.'),
      end: z.int(),
      confidence: z
        .number()
        .optional()
        .describe('How certain it is that this is what was asked for, 0 to 1. Absent where a language model answered.'),
    }),
  ),
);

export const documentMetadata = z.lazy(() =>
  z
    .object({
      title: z.union([z.string(), z.array(z.string())]).optional(),
      description: z.union([z.string(), z.array(z.string())]).optional(),
      language: z.string().optional(),
      sourceURL: z.string().describe('The URL as requested.'),
      url: z.string().describe('The final URL, after redirects.'),
      statusCode: z.int().describe('The HTTP status of the page.'),
      error: z
        .string()
        .optional()
        .describe('What is wrong with the page: its status text, or why it is not the content.'),
      verdict: z
        .enum(['challenge', 'login-wall', 'empty-shell', 'soft-404', 'parked'])
        .optional()
        .describe('Present when the page is not the requested content; such pages cost no credits.'),
      quality: z
        .number()
        .optional()
        .describe(
          'Predicted quality of the main content, 0 to 1: how complete it is and how little else the Markdown contains.',
        ),
      siblings: z
        .int()
        .optional()
        .describe('How many other pages of the site informed the choice of the main content, if any did.'),
      numPages: z.int().optional().describe('Number of pages read, for files with pages.'),
      totalPages: z.int().optional().describe('Number of pages in the file, for files with pages.'),
      sourceFile: z.string().optional().describe('File name of an upload.'),
      scrapeId: z.string(),
      contentType: z.string().optional(),
      proxyUsed: z.enum(['basic', 'stealth']).describe('`stealth` if an enhanced attempt got the page.'),
      attempts: z
        .array(
          z.object({
            engine: z.string().describe('`http`, `chrome-http` (with the TLS and HTTP/2 of Chrome) or `browser`.'),
            proxy: z.enum(['basic', 'stealth']),
            outcome: z
              .string()
              .describe(
                '`ok`, or why the next way was tried: `shell`, `challenge`, `forbidden`, `busy`, `turned-away`, `dropped`, `failed` or `unavailable`.',
              ),
            ms: z.int(),
          }),
        )
        .optional()
        .describe('How the page was fetched, in order, if it took more than one attempt or an enhanced one.'),
      tlsVerified: z
        .literal(false)
        .optional()
        .describe(
          'A certificate on the way to the page was invalid: its own, one of a redirect, or one of a part of it.',
        ),
      cacheState: z.enum(['hit', 'miss']).optional().describe('Absent when the cache was not consulted.'),
      cachedAt: z.string().optional(),
      citations: citations
        .optional()
        .describe('Where values of the answer stand on the page, by their path: `json.price`, `answer`.'),
      creditsUsed: z.int(),
      concurrencyLimited: z.boolean(),
      concurrencyQueueDurationMs: z.int().optional(),
    })
    .catchall(z.unknown())
    .describe('Facts about the page and the scrape, and the other meta tags of the page under their own names.'),
);

const pageBlocks = z.lazy(() =>
  z.object({
    pageNumber: z.int(),
    width: z.number().nullable(),
    height: z.number().nullable(),
    status: z.enum(['ok', 'partial', 'failed']),
    items: z.array(
      z.object({
        id: z.string(),
        type: z.enum(BLOCK_TYPES),
        label: z.string().nullable(),
        bbox: z.array(z.number()).length(4).nullable().describe('Left, top, right, bottom, from 0 to 1.'),
        content: z.string(),
        markdownSpan: z.array(z.int()).length(2).nullable(),
        readingOrder: z.int(),
        source: z.string().nullable(),
        confidence: z.object({ layout: z.number().nullable(), ocr: z.number().nullable() }),
      }),
    ),
  }),
);

/** Lists without results are left out. */
const actionResults = z.lazy(() =>
  z
    .object({
      screenshots: z.array(z.string()).describe('Links to the screenshots.'),
      scrapes: z.array(z.object({ url: z.string(), html: z.string() })),
      javascriptReturns: z.array(z.object({ type: z.string(), value: z.unknown() })),
      pdfs: z.array(z.string()).describe('Links to the PDFs.'),
    })
    .partial(),
);

const video = z.lazy(() =>
  z.object({
    url: z.string(),
    sourceURL: z.string().describe('The page the video was found on.'),
    source: z.string().describe('Where the page names it.'),
    kind: z.enum(['file', 'hls', 'dash']).optional(),
    provider: z.string().optional().describe('The site that hosts it, where yt-dlp knows it.'),
    title: z.string().optional(),
    thumbnail: z.string().optional(),
    description: z.string().optional(),
    duration: z.number().optional().describe('Seconds.'),
    mimeType: z.string().optional(),
    width: z.number().optional(),
    height: z.number().optional(),
  }),
);

/** One of several entries of `formats` that have the same key in a Document. */
const oneAnswer = z.lazy(() =>
  z
    .object({
      type: z.string().describe('The type of the entry.'),
      question: z.string().optional(),
      query: z.string().optional(),
      prompt: z.string().optional(),
    })
    .catchall(z.unknown()),
);

const nullable = z.string().nullable().optional();

export const document = z.lazy(() =>
  z.object({
    markdown: nullable.describe(
      'Null, like the other keys that can be, if the page cannot give the format: see `warning`.',
    ),
    html: nullable,
    rawHtml: nullable,
    links: z.array(z.string()).optional(),
    images: z.array(z.string()).optional(),
    attributes: z
      .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
      .optional(),
    rawBase64: z.string().optional(),
    screenshot: nullable.describe('A link that works for 24 hours, or a `data:` URI where nothing may be kept.'),
    audio: nullable.describe('A link to the audio file; it works for an hour.'),
    video: nullable.describe('A link to the video file; it works for an hour.'),
    videos: z.array(video).optional().describe('Every video that the page offers.'),
    actions: actionResults.optional().describe('What the actions returned, each list in the order of its actions.'),
    pages: z
      .array(z.object({ pageNumber: z.int(), markdown: z.string() }))
      .optional()
      .describe('Markdown of each PDF page, with the parser option `pages`.'),
    blocks: z.array(pageBlocks).optional().describe('Layout blocks of each PDF page, with the parser option `blocks`.'),
    summary: z.string().optional(),
    answer: z.string().optional().describe('The answer to the format `question` or `query`.'),
    highlights: z.string().optional().describe('Passages of the page that fit the query, in the order of the page.'),
    json: z.unknown().optional().describe('The data that the format `json` or `deterministicJson` asked for.'),
    answers: z
      .array(oneAnswer)
      .optional()
      .describe(
        'If several entries of `formats` have the same key: what each of them gave, in their order, with the words that it was asked with. The key itself is that of the first.',
      ),
    chunks: z.array(chunk).optional().describe('The page in pieces for a search index, in their order.'),
    product: product.optional(),
    menu: menu.optional(),
    branding: branding.optional().describe('How the brand of the page looks, measured in a browser.'),
    knowledgeGraph: knowledgeGraph.optional(),
    changeTracking: pageChanges.optional(),
    warning: z.string().optional(),
    metadata: documentMetadata,
  }),
);

export type Document = z.output<typeof document>;
export type DocumentMetadata = z.output<typeof documentMetadata>;
