// Search: parse the request, query the index and the providers, fuse the results of each source, scrape them if requested,
// answer. Loaded with the first search.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { FoundChunk } from '../../contracts/formats/chunk.ts';
import { searchPrice } from '../../contracts/prices.ts';
import { countHeaders, harmlessHeaders } from '../../contracts/scrape/given-headers.ts';
import type { ScrapeIds, SearchRequest } from '../../contracts/search/search.ts';
import type { Query } from '../../contracts/search/search-query.ts';
import { searchCost } from '../../policy/budgets/known-costs.ts';
import { raceAbort, startDeadline } from '../../util/abort.ts';
import { uuidv7 } from '../../util/ids.ts';
import type { JsonText } from '../../util/json/json-text.ts';
import type { Call } from '../call.ts';
import { anonymous, type Caller } from '../caller.ts';
import { type Billing, charged, type PartOf } from '../charged.ts';
import { type WithinDeps, withinCollection } from '../collection/within-collection.ts';
import type { JobDeps } from '../job/start-job.ts';
import { checkCapabilities } from '../page/checks/check-capabilities.ts';
import { checkSchemas } from '../page/checks/check-schemas.ts';
import { missingWarnings } from '../page/missing-formats.ts';
import { mayStore } from '../page/page-request.ts';
import type { ScrapeDeps } from '../scrape.ts';
import { rankingFor } from '../team/domain-ranking.ts';
import { startScrapes } from './async-scrapes.ts';
import { openSearchChecks, type SearchChecks, searchChecks } from './check-results.ts';
import { bestDescription, isForeign, passageIn } from './highlights.ts';
import { chunksOfResults } from './meaning/chunks-of-results.ts';
import { type HighlightedPage, modelHighlights } from './model-highlights.ts';
import { redactResults } from './redact-results.ts';
import { createResultScraper, type ScrapedResult } from './scrape-results.ts';
import { markdownOf, type ScrapedPages, scrapeAll, withoutRepeats } from './scraped-pages.ts';
import { explain, resultItem, writeAnswer, writeItem } from './search-answer.ts';
import { type AskedSearch, readSearch } from './search-request.ts';
import {
  type FoundSource,
  inOrderOfSources,
  type SearchTerms,
  type SourceDeps,
  searchSource,
} from './search-source.ts';
import { nothingToLookFor, requireAnswer, sourceWarnings } from './search-warnings.ts';

export type SearchDeps = ScrapeDeps & SourceDeps & JobDeps & WithinDeps;

const OUT_OF_TIME =
  'The search did not finish within its `timeout`. Raise `timeout`, or request fewer results and formats.';
const HEADERS_UNSENT =
  '`headers` other than User-Agent and Accept-Language were not sent: anyone can be among the results. Scrape the results that may get them one by one.';
/** Time reserved for writing the answer. */
const ANSWER_MS = 100;
const NOT_LATER =
  '`asyncScraping` needs stored results, which zero data retention and `lockdown` forbid: the results were scraped at once.';

export const search = (deps: SearchDeps, { caller, body, baseUrl }: Call<'search'>): Promise<JsonText> =>
  runSearch(deps, caller, body, baseUrl);

export async function runSearch(
  deps: SearchDeps,
  sender: Caller,
  given: SearchRequest,
  baseUrl: string,
  partOf?: PartOf,
): Promise<JsonText> {
  const began = deps.clock.now();
  // Providers choose the results, so no origin among them is one that the caller named.
  const headers = harmlessHeaders(given.scrapeOptions.headers);
  const request = { ...given, scrapeOptions: { ...given.scrapeOptions, headers } };
  const id = uuidv7(began);
  const asked = readSearch(request, began);
  const caller = asked.isAnonymous ? anonymous(sender) : sender;
  const { scrapeOptions } = request;
  const { isTraceless } = asked;
  const capable = checkCapabilities({ ...scrapeOptions, zeroDataRetention: isTraceless }, deps, ['scrapeOptions']);
  await checkSchemas(deps, caller, scrapeOptions, ['scrapeOptions']);
  const redacts = scrapeOptions.redactPII !== false;
  const { within } = await withinCollection(deps, caller, { collection: request.collection, redacts });
  const warnings = [...missingWarnings(capable.missing), ...capable.warnings];
  if (countHeaders(headers) < countHeaders(given.scrapeOptions.headers)) warnings.push(HEADERS_UNSENT);
  const threatChecks = partOf?.threatCheck
    ? searchChecks(partOf.threatCheck, partOf.threatCheck, { isPaid: true })
    : await openSearchChecks(deps, caller, request, { isTraceless: isTraceless || asked.isAnonymous });
  const terms = { operation: 'search', cost: searchCost(request), partOf, threatCheck: threatChecks } as const;
  return charged(deps, caller, terms, async (billing) => {
    const outOfTime = () => new ServiceError('SCRAPE_TIMEOUT', { message: OUT_OF_TIME });
    const time = startDeadline(request.timeout, outOfTime, caller.signal);
    try {
      const prepared = { id, began, request, asked, threatChecks, warnings, baseUrl, partOf, within };
      const results = await findAndScrape(deps, { ...caller, signal: time.signal }, prepared);
      return await answer(request, asked, results, billing);
    } finally {
      time.done();
    }
  });
}

interface PreparedSearch {
  id: string;
  began: number;
  request: SearchRequest;
  asked: AskedSearch;
  threatChecks: SearchChecks;
  warnings: string[];
  baseUrl: string;
  partOf: PartOf | undefined;
  within: Float64Array | undefined;
}

async function findAndScrape(
  deps: SearchDeps,
  caller: Caller,
  { id, began, request, asked, threatChecks, warnings, baseUrl, partOf, within }: PreparedSearch,
): Promise<SearchResults> {
  const { signal } = caller;
  const { scrapeOptions } = request;
  const { isTraceless } = asked;
  const ends = began + request.timeout;
  const results = await findResults(deps, caller, request, asked, {
    ...{ ends, ranking: rankingFor(caller), threatCheck: threatChecks.ofResults, within },
  });
  requireAnswer(results);
  const foundMs = deps.clock.now() - began;
  const isScraped = scrapeOptions.formats.length > 0;
  const isLater = request.asyncScraping && mayStore({ ...scrapeOptions, zeroDataRetention: isTraceless });
  if (isScraped && request.asyncScraping && !isLater) warnings.push(NOT_LATER);
  const billedAs = partOf ?? { operation: 'search' as const, ...(!isTraceless && { job: id }) };
  const scrape = createResultScraper(deps, caller, request, {
    ...{ deadline: ends, isTraceless, baseUrl },
    partOf: { ...billedAs, ...(threatChecks.ofPages && { threatCheck: threatChecks.ofPages }) },
  });
  const pages = isScraped && !isLater ? await scrapeAll(results, scrape) : new Map();
  const distinct = results.map((source) => withoutRepeats(source, pages));
  const asker = { team: caller.team.id, deadline: ends };
  const found = await redactResults(deps.redactor, distinct, scrapeOptions, asker, signal);
  const scrapeIds = isScraped && isLater ? await startScrapes(deps, caller, request, found, baseUrl) : undefined;
  const timing = { search: foundMs, scrape: deps.clock.now() - began - foundMs };
  const chosen = await chooseHighlights(deps, caller, request, asked, { found, pages, ends });
  const chunks =
    request.returns === 'chunks'
      ? await chunksOfResults(deps, caller, {
          request,
          asked,
          found,
          markdownOf: (url) => markdownOf(pages.get(url)),
          deadline: ends,
        })
      : undefined;
  const scanCredits = threatChecks.credits();
  return {
    ...{ id, found, pages, chosen, chunks },
    ...{ scrapeIds, timing, scanCredits },
    warnings: [...warnings, ...threatChecks.warnings()],
  };
}

async function findResults(
  deps: SearchDeps,
  { team, signal }: Caller,
  request: SearchRequest,
  asked: AskedSearch,
  terms: SearchTerms,
): Promise<FoundSource[]> {
  const slot = await deps.concurrency.enter(team, { deadline: terms.ends, kind: 'search' }, signal);
  try {
    const sources = asked.sources.map((source) => searchSource(deps, team.id, request, asked, source, terms, signal));
    const nothing = asked.emptySources.map((source) => ({
      ...source,
      results: [],
      blocked: 0,
      runs: [],
      unhonoured: [],
    }));
    const found = await raceAbort(Promise.all(sources), signal);
    slot.leave();
    return inOrderOfSources([...nothing, ...found]);
  } finally {
    slot.leave('failed');
  }
}

/** What a language model chooses from the scraped pages, if there is one and time is left. */
async function chooseHighlights(
  deps: SearchDeps,
  { team, signal }: Caller,
  { highlights, query }: SearchRequest,
  { isTraceless }: AskedSearch,
  { found, pages, ends }: { found: FoundSource[]; pages: ScrapedPages; ends: number },
): Promise<ChosenHighlights> {
  const spending = { tokens: 0, credits: 0 };
  if (!highlights || pages.size === 0) return { byUrl: new Map(), credits: 0 };
  const readPages = () =>
    found
      .flatMap((list) => (list.source === 'images' ? [] : list.results))
      .map(({ result: { url, title } }) => ({ url, title, markdown: markdownOf(pages.get(url)) }))
      .filter((page): page is HighlightedPage => page.markdown !== undefined);
  const byUrl = await modelHighlights(deps, query, readPages, {
    asker: { team: team.id, deadline: ends },
    isPrivate: isTraceless,
    limitMs: ends - deps.clock.now() - ANSWER_MS,
    spending,
    signal,
  });
  return { byUrl, credits: Math.ceil(spending.credits) };
}

interface ChosenHighlights {
  /** Descriptions that a language model chose. */
  byUrl: ReadonlyMap<string, string>;
  /** By the operator's price per token. */
  credits: number;
}

interface SearchResults {
  id: string;
  found: FoundSource[];
  pages: ScrapedPages;
  chosen: ChosenHighlights;
  chunks: FoundChunk[] | undefined;
  /** Set when the results are scraped after the answer. */
  scrapeIds: ScrapeIds | undefined;
  warnings: string[];
  timing: Record<string, number>;
  /** What judging the results has cost. */
  scanCredits: number;
}

async function answer(
  request: SearchRequest,
  asked: AskedSearch,
  { id, found, pages, chosen, chunks, scrapeIds, warnings, timing, scanCredits }: SearchResults,
  billing: Billing,
): Promise<JsonText> {
  const count = found.reduce((sum, { results }) => sum + results.length, 0);
  const { isTraceless, isAnonymous } = asked;
  const credits = await billing.charge(searchPrice(count, asked) + chosen.credits + scanCredits, {
    id,
    isStored: !isTraceless,
    target: isAnonymous ? undefined : request.query,
  });
  // Each scrape has already recorded its own credits.
  const scraped = [...pages.values()].reduce((sum, page) => sum + page.credits, 0);
  const lists = found.map((list) => ({ source: list.source, items: writeItems(request, asked, list, pages, chosen) }));
  const empty = nothingToLookFor(asked.emptySources, asked.sources);
  const notes = [...asked.warnings, ...warnings, ...empty, ...sourceWarnings(found)];
  // Its words come from pages, whose personal data the caller does not want.
  const suggestion = request.scrapeOptions.redactPII ? undefined : found.find((one) => one.suggestion)?.suggestion;
  return writeAnswer(
    {
      id,
      creditsUsed: credits + scraped,
      ...(notes.length > 0 && { warning: notes.join(' ') }),
      ...(suggestion !== undefined && { suggestion }),
      ...(scrapeIds && { scrapeIds }),
      ...(request.explain && { explain: explain(found, timing) }),
    },
    lists,
    chunks,
  );
}

function writeItems(
  { highlights, explain: isExplained }: SearchRequest,
  { query }: AskedSearch,
  { source, conditions, results }: FoundSource,
  pages: ScrapedPages,
  { byUrl }: ChosenHighlights,
): Uint8Array[][] {
  const isCategorised = conditions.categories.length > 0;
  return results.map(({ result, ...fused }, index) => {
    const page = source === 'images' ? undefined : pages.get(result.url);
    const isRead = highlights && page !== undefined && isForeign({ result, ...fused });
    const chosen = source === 'images' ? undefined : byUrl.get(result.url);
    const passage = chosen === undefined && isRead ? passageOf(page, query) : undefined;
    const own = passage === undefined ? result.description : bestDescription(result.description, passage, query);
    const shown = { ...result, description: chosen ?? own };
    const item = resultItem({ ...fused, result: shown }, { source, position: index + 1, isCategorised, isExplained });
    return writeItem(item, page);
  });
}

/** The best passage of a page that only a provider found and that has been scraped now. */
function passageOf(page: ScrapedResult, query: Query): string | undefined {
  const markdown = markdownOf(page);
  return markdown ? passageIn(markdown, query) : undefined;
}
