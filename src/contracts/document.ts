// The Document: what every operation returns of a page. A content key is there only if its format was asked for.
import { z } from 'zod';

const metadata = z
  .object({
    title: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.union([z.string(), z.array(z.string())]).optional(),
    language: z.string().optional(),
    sourceURL: z.string().describe('The URL as requested.'),
    url: z.string().describe('The final URL, after redirects.'),
    statusCode: z.int().describe('The status the target answered with.'),
    error: z.string().optional().describe('What is wrong with the page: its status text, or what stands in its place.'),
    verdict: z
      .enum(['challenge', 'login-wall', 'empty-shell', 'soft-404', 'parked'])
      .optional()
      .describe('Present when the page is not the content that was asked for; such pages cost no credits.'),
    quality: z
      .number()
      .optional()
      .describe(
        'How much of the Markdown is the content that a reader wants and how much of that is there, 0 to 1, as predicted.',
      ),
    scrapeId: z.string(),
    contentType: z.string().optional(),
    proxyUsed: z.enum(['basic', 'stealth']),
    cacheState: z.enum(['hit', 'miss']).optional().describe('Absent when the cache was not consulted.'),
    cachedAt: z.string().optional(),
    creditsUsed: z.int(),
    concurrencyLimited: z.boolean(),
    concurrencyQueueDurationMs: z.int().optional(),
  })
  .catchall(z.unknown())
  .describe('Facts about the page and the scrape; every other meta tag of the page is kept under its own name.');

export const document = z.object({
  markdown: z.string().optional(),
  html: z.string().optional(),
  rawHtml: z.string().optional(),
  links: z.array(z.string()).optional(),
  images: z.array(z.string()).optional(),
  attributes: z
    .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
    .optional(),
  warning: z.string().optional(),
  metadata,
});

export type Document = z.output<typeof document>;
export type DocumentMetadata = z.output<typeof metadata>;
