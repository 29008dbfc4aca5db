// The state of a crawl and its pages, as both tools for crawls return them.
import { z } from 'zod';
import type { ResponseOf } from '../../../contracts/route-types.ts';
import { waitForJob } from '../../../runtime/wait-for-job.ts';
import { pageOfMany, restOfPages, withEssentials } from '../../answer/document-output.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { pagesUri } from '../../resources/uris.ts';
import type { ToolAnswer, ToolContext } from '../../tool.ts';

export const crawlOutput = z.looseObject({
  success: z.boolean(),
  id: z.string(),
  status: z.string().optional().describe('scraping, completed, failed or cancelled.'),
  total: z.number().optional(),
  completed: z.number().optional(),
  creditsUsed: z.number().optional(),
  expiresAt: z.string().optional(),
  next: z.string().optional().describe('Resource with the pages after those in `data`.'),
  data: z.array(z.looseObject(pageOfMany)).optional(),
  error: z.string().optional(),
  warning: z.string().optional(),
});

type CrawlStatus = ResponseOf<'crawlStatus'>;

/** A paused crawl does not go on by itself, so nobody waits for it. */
const isRunning = ({ status, paused }: Pick<CrawlStatus, 'status' | 'paused'>) => status === 'scraping' && !paused;

const PAUSED = 'The crawl is paused: no page is read until somebody resumes it.';

/** Until the crawl is no longer running, or the client has waited long enough. */
export async function waitForCrawl(id: string, context: ToolContext): Promise<void> {
  await waitForJob<CrawlStatus>(
    {
      ask: () => context.api.call('crawlStatus', { params: { id }, query: { limit: 1 }, signal: context.signal }),
      isOver: (state) => !isRunning(state),
      progress: ({ completed, total }) => ({
        done: completed,
        total,
        message: `Crawl ${id}: ${completed} of ${total} pages`,
      }),
    },
    context,
  );
}

/** More pages would not fit, however short they are. */
const SHORTEST_PAGE = 500;
const MAX_PAGES = 100;

/** The state with as many pages as fit, from the page `skip` on. */
export async function crawlAnswer(id: string, skip: number, context: ToolContext): Promise<ToolAnswer> {
  const { api, signal, maxAnswer } = context;
  const limit = Math.min(MAX_PAGES, Math.max(1, Math.floor(maxAnswer / SHORTEST_PAGE)));
  const { next, ...state } = await api.call('crawlStatus', { params: { id }, query: { skip, limit }, signal });
  const warning = [state.warning, isRunning(state) && stillRunning(id), state.paused && PAUSED]
    .filter(Boolean)
    .join(' ');
  const answer = { id, ...state, ...(warning !== '' && { warning }) };
  const fitted = fitAnswer<typeof answer>(answer, {
    maxAnswer: maxAnswer - NEXT_ROOM,
    essentials: (all) => ({ ...all, data: all.data.map(withEssentials) }),
    linksTo: (shortened) => restOfPages(pagesOf(state), shortened),
  });
  const { data = [] } = fitted.structured as { data?: unknown[] };
  if (next === undefined && data.length === state.data.length) return fitted;
  const rest = restOf(id, skip + data.length);
  return { structured: { ...fitted.structured, next: rest.uri }, links: [rest, ...(fitted.links ?? [])] };
}

const pagesOf = ({ data }: Pick<CrawlStatus, 'data'>) =>
  data.map(({ metadata }, index) => ({ path: `.data[${index}]`, metadata }));

/** Kept free for `next`. */
const NEXT_ROOM = 150;

const restOf = (id: string, skip: number) => ({
  uri: pagesUri('crawl', id, skip),
  name: 'Pages of the crawl',
  description: `From page ${skip + 1} on.`,
});

const stillRunning = (id: string): string =>
  `The crawl is still running. Call firecrawl_check_crawl_status with the id ${id} to wait for more pages.`;
