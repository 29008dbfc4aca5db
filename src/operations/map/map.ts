// Maps a site: refuse early, gather its URLs within the timeout, sort them, answer.
// Loaded with the first map, because the libraries for URLs take ten megabytes.

import { DEFAULT_MAP_LIMIT, type MapLink, type MapRequest, type MapResponse } from '../../contracts/crawl/map.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { PRICES } from '../../contracts/prices.ts';
import { rankLinks } from '../../crawl/rank-links/rank-links.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { GateSlot } from '../../runtime/gate/gate.ts';
import { raceAbort, startDeadline } from '../../util/abort.ts';
import { uuidv7 } from '../../util/ids.ts';
import { JsonText } from '../../util/json/json-text.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { type AccountingDeps, charged } from '../charged.ts';
import { targetUrl } from '../page/target-url.ts';
import type { QueryMeanings } from '../search/meaning/query-meanings.ts';
import { rankByMeaning } from '../search/meaning/rank-results.ts';
import type { Concurrency } from '../team/concurrency/concurrency.ts';
import { hostsOnly, keepSafe } from '../threats/keep-safe.ts';
import { openThreatCheck, type ThreatCheckDeps, threatWarnings } from '../threats/open-threat-check.ts';
import { prepareMap } from './gather-urls.ts';
import type { PageLoadDeps } from './map-page.ts';
import { mapWarnings } from './map-warnings.ts';

export interface MapDeps extends PageLoadDeps, ThreatCheckDeps, Omit<AccountingDeps, 'clock'> {
  concurrency: Pick<Concurrency, 'enter'>;
  meanings: Pick<QueryMeanings, 'nearness'>;
  limits?: Partial<typeof MAP_LIMITS>;
}

export const MAP_LIMITS = {
  /** Without a `timeout`, the answer is what was found after this time. */
  patienceMs: 60_000,
  pages: 1_000,
  /** Stop after this many pages in a row without a new URL. */
  barren: 100,
  atOnce: 8,
};
/** What comparing meanings may take at the end. */
const MEANING_MS = 1_000;
/** Share of the time that the first sitemap entry may take; after that the map relies on links. */
const SITEMAP_SHARE = 1 / 3;

export async function map(deps: MapDeps, { caller, body: request }: Call<'map'>): Promise<JsonText> {
  const threatCheck = await openThreatCheck(deps, caller, request);
  const terms = { operation: 'map', cost: PRICES.map, threatCheck: threatCheck } as const;
  const { links, ...head }: MapResponse = await charged(deps, caller, terms, async ({ charge }) => {
    const found = await findLinks(deps, caller, request, { threatCheck });
    const id = uuidv7(deps.clock.now());
    const listed = { id, isStored: !request.zeroDataRetention, target: request.url };
    await charge(PRICES.map + (threatCheck?.credits() ?? 0), listed);
    return { success: true, id, ...found };
  });
  return JsonText.inSlices(head, 'links', links);
}

interface MapTerms {
  /** Is paid by the other operation. */
  threatCheck: ThreatCheck | undefined;
}

/** The same as part of another operation, which bills it. */
export async function findLinks(
  deps: Omit<MapDeps, 'ledger' | 'budgets'>,
  caller: Caller,
  request: MapRequest,
  { threatCheck: opened }: MapTerms,
): Promise<Pick<MapResponse, 'links' | 'warning'>> {
  const start = targetUrl(request.url, deps.egress);
  const threatCheck = opened && hostsOnly(opened);
  if (threatCheck) await threatCheck.check(start, caller.signal);
  const limits = { ...MAP_LIMITS, ...deps.limits };
  const ms = request.timeout ?? limits.patienceMs;
  const { found, run } = await prepareMap(deps, { teamId: caller.team.id, threatCheck }, request, start, {
    ...limits,
    isTraceless: request.zeroDataRetention,
    links: linksToFind(request),
    sitemapMs: ms * SITEMAP_SHARE,
  });

  const overtime = new ServiceError('MAP_TIMEOUT');
  const time = startDeadline(ms, () => overtime, caller.signal);
  const asked = { deadline: deps.clock.now() + ms, kind: `map ${start.host}` };
  let slot: GateSlot | undefined;
  try {
    slot = await deps.concurrency.enter(caller.team, asked, time.signal);
    const isInTime = await raceAbort(run(time.signal), time.signal).then(
      () => true,
      (error: unknown) => {
        if (error !== overtime || request.timeout !== undefined) throw error;
        return false;
      },
    );
    if (found.failure && found.list.size <= 1) throw found.failure;
    slot.leave();
    const { kept } = await keepSafe(threatCheck, found.list.links(), ({ url }) => [url], caller.signal);
    const waitMs = Math.min(MEANING_MS, Math.max(0, asked.deadline - deps.clock.now()));
    const links = await inOrder(deps, kept, request, { caller, waitMs });
    const context = {
      start,
      sitemap: request.sitemap,
      maxPages: limits.pages,
      endedAfterMs: isInTime ? undefined : ms,
    };
    const warning = [...mapWarnings(found, context), ...threatWarnings(threatCheck)].join(' ');
    return { links, ...(warning && { warning }) };
  } catch (error) {
    if (error instanceof ServiceError || caller.signal.aborted) throw error;
    deps.log.error({ err: error }, 'map failed');
    throw new ServiceError('MAP_FAILED', { cause: error });
  } finally {
    slot?.leave('failed');
    time.done();
  }
}

/** The best matches for `search` may be found late, so more URLs are gathered than returned. */
const linksToFind = ({ search, limit }: MapRequest): number => (search ? Math.max(limit, DEFAULT_MAP_LIMIT) : limit);

/** By words, and the best by meaning, too, as far as the time allows: a link may name the matter in other words. */
async function inOrder(
  { meanings }: Pick<MapDeps, 'meanings'>,
  links: MapLink[],
  { search, limit }: MapRequest,
  { caller, waitMs }: { caller: Caller; waitMs: number },
): Promise<MapLink[]> {
  if (!search) return links;
  const byWords = await rankLinks(links, search, caller.signal);
  const query = { text: search, clauses: [{ kind: 'word', text: search, negated: false } as const] };
  const ranked = await rankByMeaning(meanings, query, byWords, ({ link }) => textsOf(link), { caller, waitMs });
  return ranked.slice(0, limit).map(({ link }) => link);
}

/** A path is often the title in other letters. */
const textsOf = ({ url, title, description = '' }: MapLink): { title: string; description: string } => ({
  title: title ?? new URL(url).pathname.replace(/%[\da-f]{2}|[\W_]+/giu, ' '),
  description,
});
