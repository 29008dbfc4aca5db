// Searches only the own index, as somebody types: free, asks nobody, and drops a search whose client has gone on typing.
// Loaded with the first search.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { FoundChunk } from '../../../contracts/formats/chunk.ts';
import type { IndexSearchRequest, IndexSearchResponse } from '../../../contracts/search/index-search.ts';
import { type Conditions, namesHosts, type Query } from '../../../contracts/search/search-query.ts';
import type { Manual } from '../../../fetch/manual.ts';
import type { FoundPages, FoundWord, IndexFind, PageIndex, QueryMeaning } from '../../../index/page-index.ts';
import type { Indexer } from '../../../jobs/indexer.ts';
import type { PageSharing } from '../../../page/page-owner.ts';
import type { Gate } from '../../../runtime/gate/gate.ts';
import type { Log } from '../../../runtime/log.ts';
import { parseQuery } from '../../../search/query/query.ts';
import { readTbs, tbsProblem } from '../../../search/query/tbs.ts';
import { readTypedQuery, type TypedQuery } from '../../../search/query/typed-query.ts';
import type { Understander } from '../../../understand/understander.ts';
import { normaliseUrl } from '../../../urls/url.ts';
import { raceAbort } from '../../../util/abort.ts';
import type { Clock } from '../../../util/clock.ts';
import type { Call } from '../../call.ts';
import type { Caller } from '../../caller.ts';
import { type WithinDeps, withinCollection } from '../../collection/within-collection.ts';
import { openThreatCheck, type ThreatCheckDeps } from '../../threats/open-threat-check.ts';
import { asMarkdown, bestChunks } from '../meaning/best-chunks.ts';
import type { QueryMeanings } from '../meaning/query-meanings.ts';
import { regionOf } from '../search-request.ts';
import { writeFound } from './index-answer.ts';
import { relax } from './relax.ts';

export interface IndexSearchDeps extends ThreatCheckDeps, WithinDeps {
  index: Pick<PageIndex, 'find' | 'suggest' | 'texts'>;
  understander: Pick<Understander, 'tools'>;
  /** In front of the index thread, which has one processor: what waits here can still be dropped, what waits inside cannot. */
  indexGate: Pick<Gate, 'enter'>;
  indexer: Pick<Indexer, 'refresh' | 'wake'>;
  meanings: QueryMeanings;
  manualIndexed(): Promise<void>;
  manual: Pick<Manual, 'urls'>;
  sharing: PageSharing;
  clock: Clock;
  log: Pick<Log, 'error'>;
}

/** An answer that takes longer is of no use to somebody who types. */
const PATIENCE_MS = 10_000;
/** A word on so few pages may be a typing mistake. */
const RARE_PAGES = 2;

export async function searchIndex(
  deps: IndexSearchDeps,
  { caller, body: request }: Call<'searchIndex'>,
): Promise<IndexSearchResponse> {
  const { indexer, manual, sharing, clock } = deps;
  const { signal } = caller;
  const began = performance.now();
  await raceAbort(deps.manualIndexed(), signal);
  await indexer.refresh(signal);
  const typed = readTypedQuery(request.query);
  const search = readSearch(request, typed, clock.now());
  const within = await withinCollection(deps, caller, { collection: request.collection, redacts: false });
  const visible = { viewer: sharing.viewerOf(caller.team.id), verifiedOnly: false, ...within };
  const setApart = namesHosts(search.query, search.conditions) ? [] : await manual.urls();
  const meaning = await meaningOf(deps, caller, request, search.query);
  const rankings = [caller.team.settings?.ranking, caller.limits?.ranking];
  const asked = { ...search, ...visible, setApart, meaning, rankings };
  const found = await find(deps, caller, asked);
  const isNothing = found.hits.length === 0 && request.offset === 0;
  const relaxed = isNothing ? await relax((one) => find(deps, caller, one), asked, typed) : undefined;
  const mayBeMistyped = !request.typing && request.offset === 0 && found.words.some(isRare);
  const suggestion = mayBeMistyped ? await inTurn(deps, caller, () => deps.index.suggest(asked)) : null;
  const threatCheck = await openThreatCheck(deps, caller, { lockdown: true });
  const data = writeFound(found, {
    request,
    typed,
    relaxed,
    suggestion,
    allows: (url) => threatCheck?.allowsByRules(url) ?? true,
  });
  const chunks =
    request.returns === 'chunks' ? await chunksOfHits(deps, caller, request, search.query, data.hits) : undefined;
  return {
    success: true,
    data: { ...data, ...(chunks && { chunks }), ms: Math.round((performance.now() - began) * 10) / 10 },
  };
}

async function chunksOfHits(
  deps: IndexSearchDeps,
  caller: Caller,
  { mode, typing, limit }: IndexSearchRequest,
  query: Query,
  hits: readonly { url: string; title: string }[],
): Promise<FoundChunk[]> {
  const urls = hits.map(({ url }) => normaliseUrl(new URL(url)));
  const viewer = deps.sharing.viewerOf(caller.team.id);
  const texts = urls.length === 0 ? [] : await deps.index.texts({ viewer, verifiedOnly: false, urls });
  const pages = hits.flatMap(({ url, title }, at) => {
    const text = texts[at];
    return text ? [{ url, title, markdown: asMarkdown(text) }] : [];
  });
  const byMeaning = mode !== 'words' && !typing;
  const deadline = deps.clock.now() + PATIENCE_MS;
  return bestChunks(deps, { query, pages, limit, byMeaning, isPrivate: false, deadline }, caller);
}

const isRare = ({ isIgnored, pages }: FoundWord): boolean => !isIgnored && pages <= RARE_PAGES;

/** While a query is being typed, its words are not those that it will have. */
async function meaningOf(
  { meanings }: IndexSearchDeps,
  caller: Caller,
  { mode, typing }: IndexSearchRequest,
  query: Query,
): Promise<QueryMeaning | undefined> {
  const isAlone = mode === 'meaning';
  if (mode === 'words' || (typing && !isAlone)) return undefined;
  const vector = await (isAlone ? meanings.require(query, caller) : meanings.of(query, caller));
  return vector && { vector, isAlone };
}

const find = (deps: IndexSearchDeps, caller: Caller, search: IndexFind): Promise<FoundPages> =>
  inTurn(deps, caller, () => deps.index.find(search));

async function inTurn<T>(
  { indexGate, indexer, clock, log }: IndexSearchDeps,
  { team, signal }: Caller,
  ask: () => Promise<T>,
): Promise<T> {
  const slot = await indexGate.enter({ team: team.id, deadline: clock.now() + PATIENCE_MS }, 'find', signal);
  try {
    const found = await ask();
    slot.leave();
    return found;
  } catch (error) {
    // A damaged index is rebuilt with the next changes.
    log.error({ err: error }, 'index search failed');
    indexer.wake();
    throw error;
  } finally {
    slot.leave('failed');
  }
}

type Search = Omit<IndexFind, 'viewer' | 'verifiedOnly' | 'setApart' | 'rankings'>;

function readSearch(request: IndexSearchRequest, { unfinished }: TypedQuery, now: number): Search {
  const { includeDomains, kinds, tbs, lang, country, offset, limit, facets, explain } = request;
  const problem = tbs === undefined ? undefined : tbsProblem(tbs);
  if (problem !== undefined) throw new ServiceError('BAD_REQUEST', { message: problem });
  const conditions: Conditions = {
    ...(tbs === undefined ? { sortByDate: false } : readTbs(tbs, now)),
    ...regionOf(country, lang, undefined),
    ...{ includeDomains, excludeDomains: [], categories: [] },
  };
  return {
    query: parseQuery(request.query),
    conditions,
    languages: request.languages.map((language) => (language === UNKNOWN_LANGUAGE ? '' : language)),
    ...{ kinds, offset, limit, facets, explain, now },
    ...(request.typing && { unfinished }),
  };
}

const UNKNOWN_LANGUAGE = 'und';
