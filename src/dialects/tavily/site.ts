// Sites of Tavily: a crawl is a job whose end is waited for, a map is one call.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { PRICES } from '../../contracts/prices.ts';
import type { ResponseOf } from '../../contracts/route-types.ts';
import { validate } from '../../contracts/validate/validate.ts';
import { waitForJob } from '../../runtime/wait-for-job.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { crawledPages, tooLarge, whyEmpty } from '../shared/crawled-pages.ts';
import type { ReadDocument } from '../shared/read-pages.ts';
import { sentFields } from '../shared/sent-fields.ts';
import { timed } from './answers.ts';
import { crawlFields, MAX_CRAWLED, mapFields, type SiteFields } from './fields.ts';
import { notServed, type PageFields, pageFormats, pageOf } from './pages.ts';
import { siteScope } from './site-scope.ts';

/** Clients wait for as long as they say to the server, and the pages still have to be sent. */
const SENDING_SHARE = 0.1;
const MAX_SENDING_MS = 3_000;

export async function crawl(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const finish = timed(request);
  const fields = validate(crawlFields, sentFields(request));
  const limit = Math.min(fields.limit, MAX_CRAWLED);
  // The chosen passages are those that fit the instructions.
  const asked: PageFields = { ...fields, passages: fields.chunks_per_source ? fields.instructions : undefined };
  const { id, warning } = await start(trawl, fields.instructions, {
    ...siteScope(fields),
    url: fields.url,
    limit,
    maxDiscoveryDepth: fields.max_depth,
    // The depth is counted in links, of which a sitemap says nothing.
    sitemap: 'skip',
    scrapeOptions: { formats: pageFormats(asked) },
  });
  const patience = fields.timeout * 1000;
  const maxWaitMs = patience - Math.min(patience * SENDING_SHARE, MAX_SENDING_MS);
  const cancel = (signal = request.signal) => trawl.call('cancelCrawl', { params: { id }, signal });
  try {
    const ask = () => trawl.call('crawlStatus', { params: { id }, query: { limit: '1' } });
    const state = await waitForJob<State>({ ask, isOver }, { signal: request.signal, maxWaitMs });
    // One that ends meanwhile cannot be cancelled.
    if (!isOver(state)) await cancel().catch(unlessFinished);
    const { documents, creditsUsed, warnings } = await readAll(id, trawl);
    if (documents.length === 0) await refuseWithout(id, state, trawl);
    return {
      body: {
        base_url: fields.url,
        results: documents.map((page) => pageOf(page.metadata.sourceURL, page, asked)),
        ...finish(fields.include_usage ? creditsUsed : undefined),
      },
      warnings: [
        ...[warning, ...warnings, notServed(fields), unserved(fields)],
        limit < fields.limit ? `At most ${MAX_CRAWLED} pages are crawled at once.` : undefined,
        isOver(state) ? undefined : OUT_OF_TIME,
      ],
    };
  } catch (error) {
    // Nobody waits for it any more, such as a client that has left.
    await cancel(AbortSignal.timeout(CANCEL_MS)).catch(() => undefined);
    throw error;
  }
}

const CANCEL_MS = 10_000;
const OUT_OF_TIME = 'The time was over before the crawl was: these are the pages that it had read.';

type State = ResponseOf<'crawlStatus'>;

/** A paused crawl does not go on by itself. */
const isOver = ({ status, paused }: Pick<State, 'status' | 'paused'>): boolean =>
  status !== 'scraping' || paused === true;

interface Started {
  id: string;
  warning?: string;
}

const NO_MODEL = '`instructions` did not choose the pages, because that needs a language model.';

async function start(trawl: Trawl, instructions: string | undefined, body: object): Promise<Started> {
  if (instructions === undefined) return trawl.call('crawl', { body });
  try {
    return await trawl.call('crawl', { body: { ...body, prompt: instructions } });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'NEEDS_MODEL') throw error;
    const { id } = await trawl.call('crawl', { body });
    return { id, warning: NO_MODEL };
  }
}

function unlessFinished(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== 'JOB_FINISHED') throw error;
}

/** The answer is made in memory. */
const MAX_CHARACTERS = 16_000_000;

interface Read {
  documents: ReadDocument[];
  creditsUsed: number;
  warnings: (string | undefined)[];
}

async function readAll(id: string, trawl: Trawl): Promise<Read> {
  const read: Read = { documents: [], creditsUsed: 0, warnings: [] };
  let room = MAX_CHARACTERS;
  for await (const { data, next, creditsUsed, warning } of crawledPages(id, trawl)) {
    read.documents.push(...data);
    room -= data.reduce((sum, { markdown }) => sum + (markdown?.length ?? 0), 0);
    const isCut = next !== undefined && room <= 0;
    Object.assign(read, { creditsUsed, warnings: [warning, isCut ? tooLarge(id) : undefined] });
    if (isCut) break;
  }
  return read;
}

async function refuseWithout(id: string, state: State, trawl: Trawl): Promise<void> {
  const message = await whyEmpty(id, state, trawl);
  if (message !== undefined) throw new ServiceError('BAD_REQUEST', { message });
}

export async function map(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const finish = timed(request);
  const fields = validate(mapFields, sentFields(request));
  const { links, warning } = await trawl.call('map', {
    body: {
      ...siteScope(fields),
      url: fields.url,
      limit: Math.min(fields.limit, MAX_MAPPED),
      search: fields.instructions?.slice(0, MAX_MAP_SEARCH),
      filterByPath: false,
      timeout: fields.timeout * 1000,
    },
  });
  return {
    body: {
      base_url: fields.url,
      results: links.map((link) => link.url),
      ...finish(fields.include_usage ? PRICES.map : undefined),
    },
    warnings: [warning, unserved(fields), fields.max_depth > 1 ? NO_DEPTH : undefined],
  };
}

const MAX_MAPPED = 5_000;
const MAX_MAP_SEARCH = 1_000;
const NO_DEPTH = '`max_depth` was ignored: a map has the links of the page and the sitemaps.';

const unserved = ({ max_breadth: breadth }: Pick<SiteFields, 'max_breadth'>): string | undefined =>
  breadth === undefined ? undefined : '`max_breadth` was ignored: `limit` counts all pages.';
