// The first version of the wire whose second one this service speaks: the same keys, jobs and ids, other names.
import { errorBody } from '../../contracts/errors/errors.ts';
import type { KeyedOperation } from '../../contracts/route-types.ts';
import type { DialectAnswer, DialectRequest, DialectRoute, DialectTable, Trawl } from '../dialect.ts';
import { researchStatus, startResearch } from './deep-research.ts';
import {
  batchFields,
  crawlFields,
  extractFields,
  llmsTextFields,
  mapFields,
  researchFields,
  scrapeFields,
  searchFields,
} from './fields.ts';
import { cancelJob, jobErrors, jobStatus, startBatch, startCrawl } from './jobs.ts';
import { llmsTextStatus, startLlmsText } from './llms-text.ts';
import { map, scrape, search, startExtract } from './pages.ts';
import { creditUsage, tokenUsage } from './usage.ts';

/** An answer that is the same today. */
const same =
  (call: KeyedOperation) =>
  async ({ params, query }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> => ({
    body: await trawl.text(call, { params: params as never, query }),
  });

const get = (path: string, call: KeyedOperation, summary: string, answer = same(call)): DialectRoute => ({
  ...{ methods: ['GET'], paths: [path], call, summary, answer },
  returns: 'As the same call under /v2, in the words of v1.',
});

const post = (
  path: string,
  { call, summary, takes, answer }: Pick<DialectRoute, 'call' | 'summary' | 'takes' | 'answer'>,
): DialectRoute => ({
  ...{ methods: ['POST'], paths: [path], call, summary, takes, answer },
  returns: 'As the same call under /v2, in the words of v1.',
});

/** One job by its id: progress, end, failed pages. */
const jobRoutes = (
  path: string,
  what: string,
  calls: {
    status: 'crawlStatus' | 'batchStatus';
    cancel: 'cancelCrawl' | 'cancelBatch';
    errors: 'crawlErrors' | 'batchErrors';
  },
): DialectRoute[] => [
  get(`${path}/:id`, calls.status, `Get the progress and the documents of a ${what}`, jobStatus(calls.status)),
  {
    ...{ methods: ['DELETE'], paths: [`${path}/:id`], call: calls.cancel, summary: `Cancel a ${what}` },
    ...{ returns: '`status`: `cancelled`.', answer: cancelJob(calls.cancel) },
  },
  {
    ...get(`${path}/:id/errors`, calls.errors, `List the failed pages of a ${what}`, jobErrors(calls.errors)),
    // The SDK of v1 reads them by DELETE.
    methods: ['GET', 'DELETE'],
  },
];

export const v1: DialectTable = {
  routes: [
    post('/scrape', { call: 'scrape', summary: 'Scrape a page', takes: scrapeFields, answer: scrape }),
    get('/scrape/:id', 'getScrape', 'Get the result of an earlier scrape'),
    post('/crawl', { call: 'crawl', summary: 'Crawl a site', takes: crawlFields, answer: startCrawl }),
    get('/crawl/active', 'activeCrawls', 'List the running crawls'),
    get('/crawl/ongoing', 'ongoingCrawls', 'List the running crawls (older name)'),
    ...jobRoutes('/crawl', 'crawl', { status: 'crawlStatus', cancel: 'cancelCrawl', errors: 'crawlErrors' }),
    post('/batch/scrape', {
      call: 'batchScrape',
      summary: 'Scrape many pages',
      takes: batchFields,
      answer: startBatch,
    }),
    ...jobRoutes('/batch/scrape', 'batch', { status: 'batchStatus', cancel: 'cancelBatch', errors: 'batchErrors' }),
    post('/map', { call: 'map', summary: 'List the URLs of a site', takes: mapFields, answer: map }),
    post('/search', { call: 'search', summary: 'Search', takes: searchFields, answer: search }),
    post('/extract', { call: 'extract', summary: 'Extract data', takes: extractFields, answer: startExtract }),
    get('/extract/:id', 'extractStatus', 'Get the state of an extraction'),
    get('/team/credit-usage', 'creditUsage', 'Get the credits of the team', creditUsage),
    get('/team/credit-usage/historical', 'creditHistory', 'Get the credits of earlier months'),
    get('/team/token-usage', 'tokenUsage', 'Get the tokens of the team', tokenUsage),
    get('/team/token-usage/historical', 'tokenHistory', 'Get the tokens of earlier months'),
    get('/team/queue-status', 'queueStatus', 'Get how busy the team is'),
    get('/concurrency-check', 'concurrencyCheck', 'Get how many requests are running'),
    {
      ...post('/deep-research', {
        ...{ call: 'startAgent', summary: 'Start a research', takes: researchFields, answer: startResearch },
      }),
      returns: '`id`: that of a run of an agent, which GET /v2/agent/{id} knows, too.',
    },
    {
      ...get('/deep-research/:id', 'agentStatus', 'Get the state and the answer of a research', researchStatus),
      returns: '`status`, `data` with `finalAnalysis`, `json`, `activities` and `sources`, `totalUrls`, `expiresAt`.',
    },
    {
      ...post('/llmstxt', {
        ...{ call: 'crawl', summary: 'Start an llms.txt of a site', takes: llmsTextFields, answer: startLlmsText },
      }),
      returns: '`id`: that of a crawl, followed by `.full` if the full text was asked for.',
    },
    {
      ...get('/llmstxt/:id', 'crawlStatus', 'Get the llms.txt of a site', llmsTextStatus),
      returns: '`status`, `data` with `llmstxt`, and `llmsfulltxt` if the id ends in `.full`, `expiresAt`.',
    },
  ],
  writeError: (error) => ({ body: errorBody(error) }),
};
