// POST /v2/extract and its status. The call is deprecated, and kept for the clients that use it.
import { z } from 'zod';
import type { Citation } from '../../page/understanding.ts';
import { MAX_PROMPT_LENGTH, MAX_URL_LENGTH, nameText } from '../bounds.ts';
import { jsonSchema } from '../formats/formats.ts';
import { optionalText, textList } from '../optional-text.ts';
import { retention } from '../retention.ts';
import { citations } from '../scrape/document.ts';
import { clientFields } from '../scrape/scrape.ts';
import { scrapeOptions } from '../scrape/scrape-options.ts';
import { threatProtection } from '../threats/threat-protection.ts';
import { extractWebhook } from '../webhooks/webhook.ts';

export const MAX_EXTRACT_URLS = 10;
/** Above that of a URL, so that a URL that is a little too long is skipped like other unusable ones. */
const MAX_ENTRY_LENGTH = 4 * MAX_URL_LENGTH;
const MAX_PAGES = 100_000;

const prompt = optionalText(z.string().max(MAX_PROMPT_LENGTH)).describe('What to find, in plain words.');

export const extractRequest = z
  .object({
    urls: textList(MAX_EXTRACT_URLS, z.string().max(MAX_ENTRY_LENGTH))
      .default(() => [])
      .describe('Pages to read. `https://example.com/*` stands for the pages of the site that fit the request best.'),
    prompt,
    schema: jsonSchema.optional(),
    systemPrompt: prompt.describe('How the model is to work, in plain words.'),
    allowExternalLinks: z.boolean().default(false).describe('Also reads pages of other sites that are linked.'),
    enableWebSearch: z.boolean().default(false).describe('Also reads pages that a web search finds.'),
    includeSubdomains: z.boolean().default(true).describe('Also reads pages of subdomains.'),
    ignoreSitemap: z.boolean().default(false).describe('Finds pages without sitemaps.'),
    limit: z.int().min(1).max(MAX_PAGES).optional().describe('Maximum number of pages to read.'),
    showSources: z.boolean().default(false).describe('Adds `sources`: the URLs that each value comes from.'),
    scrapeOptions: scrapeOptions.default(() => scrapeOptions.parse({})).describe('How each page is scraped.'),
    ignoreInvalidURLs: z
      .boolean()
      .default(true)
      .describe('Skips unusable URLs and lists them in `invalidURLs`; false refuses the whole request.'),
    agent: z
      .object({ model: nameText.optional().describe('Ignored.') })
      .optional()
      .describe('Accepted and ignored: pages are read in a browser where they need one.'),
    timeout: z.int().min(1_000).optional().describe('Milliseconds after which the run ends with what it has found.'),
    webhook: extractWebhook.optional(),
    threatProtection: threatProtection.optional(),
    zeroDataRetention: z.boolean().default(false).describe('Refused: results are stored until you fetch them.'),
    retention: retention.optional(),
    __experimental_streamSteps: z.boolean().default(false).describe('Adds `steps`.'),
    __experimental_llmUsage: z.boolean().default(false).describe('Adds `llmUsage`.'),
    __experimental_showCostTracking: z.boolean().default(false).describe('Adds `costTracking`.'),
    __experimental_showSources: z.boolean().default(false).describe('Like `showSources`.'),
    ...clientFields,
  })
  .superRefine(({ urls, prompt }, context) => {
    if (urls.length > 0 || prompt !== undefined) return;
    context.addIssue({ code: 'custom', path: ['urls'], message: 'Set `urls`, `prompt` or both.' });
  })
  .transform((request) => ({
    ...request,
    // The pages that a search finds are on other sites.
    allowExternalLinks: request.allowExternalLinks || request.enableWebSearch,
    showSources: request.showSources || request.__experimental_showSources,
  }));

export type ExtractRequest = z.output<typeof extractRequest>;

/** The request as stored with the run. Its `urls` are valid; those of whole sites end with `/*`. */
export type ExtractRun = Omit<ExtractRequest, 'webhook' | 'ignoreInvalidURLs'> & {
  /** Domains that the key was restricted to. */
  keyDomains?: string[];
  /** What links in the results begin with; no slash at its end. */
  baseUrl: string;
};

/** What a run of an extraction returns as its `result`. */
export interface ExtractResult {
  /** Absent if the run failed. */
  data?: unknown;
  /** The URLs that the values come from, by their path in `data`: `products[0].price`. */
  sources?: Record<string, string[]>;
  citations?: Record<string, Citation>;
  warning?: string;
  /** Number of pages that were read. */
  pages: number;
  /** Name of the language model; absent if none was used. */
  model?: string;
}

export const extractResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    urlTrace: z.array(z.never()).describe('Always empty.'),
    invalidURLs: z.array(z.string()).optional().describe('URLs that are skipped.'),
    warnings: z.array(z.string()),
    replacement: z.string().describe('The call to use instead.'),
  }),
);

export type ExtractResponse = z.output<typeof extractResponse>;

export const extractStatusResponse = z.lazy(() =>
  z.object({
    success: z.boolean().describe('False only if the run failed.'),
    id: z.string(),
    status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
    data: z.unknown().nonoptional().describe('An empty list until the run is completed.'),
    error: z.string().optional(),
    warning: z.string().optional(),
    expiresAt: z.string().describe('When the result is deleted.'),
    creditsUsed: z.int(),
    tokensUsed: z.int(),
    sources: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('With `showSources`: URLs by path in `data`.'),
    citations: citations.optional().describe('With `showSources`: where each value stands, by its path in `data`.'),
    steps: z
      .array(
        z.object({
          step: z.string(),
          startedAt: z.int(),
          finishedAt: z.int(),
          discoveredLinks: z.array(z.string()),
        }),
      )
      .optional()
      .describe('With `__experimental_streamSteps`.'),
    llmUsage: z.int().optional().describe('With `__experimental_llmUsage`: tokens of the language model.'),
    costTracking: z
      .object({ credits: z.int(), tokens: z.int(), steps: z.int() })
      .optional()
      .describe('With `__experimental_showCostTracking`.'),
  }),
);

export type ExtractStatusResponse = z.output<typeof extractStatusResponse>;
