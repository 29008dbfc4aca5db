// Tavily: searches, pages and sites for agents. Its crawls are waited for; research is not served.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { DialectAnswer, DialectRequest, DialectTable, Trawl } from '../dialect.ts';
import { errorText } from '../shared/error-text.ts';
import { extract } from './extract.ts';
import { crawlFields, extractFields, mapFields, searchFields } from './fields.ts';
import { search } from './search.ts';
import { crawl, map } from './site.ts';

const NO_RESEARCH =
  'Research is not served here. Use POST /v2/agent, which researches a question and names its sources.';
/** What a single key has used is not counted for it. */
async function usage(_request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { data } = await trawl.call('creditUsage');
  const { planCredits, remainingCredits } = data;
  const account = { current_plan: null, plan_usage: planCredits - remainingCredits, plan_limit: planCredits };
  return { body: { key: { usage: null, limit: null }, account } };
}

/** As Tavily says that the credits of a plan are used up. */
const PLAN_USED_UP = 432;

export const tavily: DialectTable = {
  keyField: 'api_key',
  routes: [
    {
      methods: ['POST'],
      paths: ['/search'],
      summary: 'Search',
      call: 'search',
      takes: searchFields,
      returns:
        '`results` with `url`, `title`, `content`, a `score` computed from the rank, `raw_content`; `images`, `answer`.',
      answer: search,
    },
    {
      methods: ['POST'],
      paths: ['/extract'],
      summary: 'Read pages',
      call: 'scrape',
      takes: extractFields,
      returns: '`results` with `url` as it was sent and `raw_content`; `failed_results` with `url` and `error`.',
      answer: extract,
    },
    {
      methods: ['POST'],
      paths: ['/crawl'],
      summary: 'Crawl a site, and wait for the pages',
      call: 'crawl',
      takes: crawlFields,
      returns: '`results` with `url` and `raw_content`; those there are when `timeout` is over.',
      answer: crawl,
    },
    {
      methods: ['POST'],
      paths: ['/map'],
      summary: 'List the URLs of a site',
      call: 'map',
      takes: mapFields,
      returns: '`results`: URLs.',
      answer: map,
    },
    {
      methods: ['GET'],
      paths: ['/usage'],
      summary: 'Get the credits of the team',
      call: 'creditUsage',
      returns: '`account` with `plan_usage` and `plan_limit`.',
      answer: usage,
    },
    {
      methods: ['GET', 'POST'],
      paths: ['/research', '/research/:id'],
      summary: 'Not served',
      returns: 'An error that names what to use instead.',
      answer: () => {
        throw new ServiceError('NOT_IMPLEMENTED', { message: NO_RESEARCH });
      },
    },
  ],
  writeError: (error) => ({
    ...(error.code === 'INSUFFICIENT_CREDITS' && { status: PLAN_USED_UP }),
    body: { detail: { error: errorText(error) } },
  }),
};
