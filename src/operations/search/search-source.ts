// Searches one source: queries the own index and the providers in parallel, and fuses their results into one list.

import type { SearchRequest } from '../../contracts/search/search.ts';
import { type Category, type Conditions, SOURCES, type Source } from '../../contracts/search/search-query.ts';
import { urlKey } from '../../crawl/frontier/url-key.ts';
import type { VisiblePages } from '../../index/page-index.ts';
import type { Egress } from '../../net/egress.ts';
import type { PageSharing } from '../../page/page-owner.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { Federation } from '../../search/federation/federation.ts';
import type { ProviderRun } from '../../search/federation/provider-run.ts';
import { type Fused, fuse, type RankedList } from '../../search/fuse.ts';
import { createMatch, type Match } from '../../search/match/match.ts';
import type { ResultCandidate } from '../../search/match/visible-result.ts';
import { INDEX_NAME } from '../../search/providers/provider-names.ts';
import type { PageStore } from '../../store/ports/pages/page-store.ts';
import type { DomainRanking } from '../../urls/domain-ranking.ts';
import { normaliseUrl, readUrl } from '../../urls/url.ts';
import type { Clock } from '../../util/clock.ts';
import { safeResults } from './check-results.ts';
import { withPassages } from './highlights.ts';
import { rankResults } from './meaning/rank-results.ts';
import { askIndex, type IndexDeps, knowsSite } from './own-index.ts';
import type { AskedSearch, AskedSource } from './search-request.ts';

export interface SourceDeps extends IndexDeps {
  providers: Federation;
  /** Whether the operator has the own index searched. */
  asksIndex: boolean;
  egress: Egress;
  pages: Pick<PageStore, 'redirects'>;
  sharing: PageSharing;
  clock: Clock;
}

export interface FoundSource extends AskedSource {
  results: Fused<ResultCandidate>[];
  /** How many results threat protection has removed. Others are in their places, as far as there are any. */
  blocked: number;
  runs: ProviderRun[];
  /** Operators that neither the index nor any provider could apply, as written. */
  unhonoured: string[];
  /** Another query, if a word of this one looks like a typing mistake. */
  suggestion?: string;
}

export interface SearchTerms {
  ends: number;
  /** What the team and the key want. */
  ranking: DomainRanking | undefined;
  threatCheck: ThreatCheck | undefined;
  /** The pages of a collection, which alone may answer. */
  within?: Float64Array | undefined;
}

/** So many results beyond the limit are looked at to replace blocked ones. */
const MAX_FURTHER = 200;
/** So many more are looked at if some may have to move up. */
const BEYOND = 10;

export async function searchSource(
  deps: SourceDeps,
  teamId: string,
  request: SearchRequest,
  search: AskedSearch,
  asked: AskedSource,
  { ends, ranking, threatCheck, within }: SearchTerms,
  signal: AbortSignal,
): Promise<FoundSource> {
  const { query } = search;
  const { source } = asked;
  const verifiedOnly = !request.scrapeOptions.skipTlsVerification;
  const visible = { viewer: deps.sharing.viewerOf(teamId), verifiedOnly, ...(within && { within }) };
  const gatherSafe = async (wanted: number) => {
    const gathering = { teamId, visible, request, search, asked, wanted, ends };
    const gathered = await gatherResults(deps, gathering, signal);
    const wantedOnes = gathered.fused.filter(({ result }) => ranking?.actionOn(hostOf(result)) !== 'block');
    const results = await safeResults(threatCheck, wantedOnes, signal);
    return { ...gathered, results, blocked: gathered.fused.length - results.length };
  };

  let wanted = request.limit + (ranking ? BEYOND : 0);
  let found = await gatherSafe(wanted);
  while (found.fused.length === wanted && found.results.length < request.limit) {
    wanted = request.limit + Math.min(found.blocked, MAX_FURTHER);
    const more = await gatherSafe(wanted);
    // A provider that was just asked may refuse to be asked again.
    if (more.fused.length <= found.fused.length) break;
    found = more;
  }
  const { all, runs, blocked, suggestion } = found;
  const best = found.results.slice(0, Math.max(request.limit, wanted));
  const isRanked = source !== 'images' && !asked.conditions.sortByDate;
  const ranked = isRanked ? await rankResults(deps.meanings, query, best, { team: { id: teamId }, signal }) : best;
  const chosen = arranged(ranking, ranked, asked.conditions).slice(0, request.limit);
  const isHighlighted = request.highlights && source !== 'images';
  const results = isHighlighted
    ? await withPassages(deps.asksIndex ? deps.index : undefined, visible, query, chosen, descriptionsIn(all))
    : chosen;
  return {
    ...{ ...asked, results, blocked, runs },
    ...(suggestion !== undefined && { suggestion }),
    unhonoured: await unhonoured(deps, visible, search, asked, runs),
  };
}

interface Gathering {
  teamId: string;
  visible: VisiblePages;
  request: SearchRequest;
  search: AskedSearch;
  asked: AskedSource;
  wanted: number;
  ends: number;
}

/** Asks the index and the providers for the wanted number of results. */
async function gatherResults(
  deps: SourceDeps,
  { teamId, visible, request, search, asked, wanted, ends }: Gathering,
  signal: AbortSignal,
) {
  const { query } = search;
  const { source, conditions } = asked;
  const match = createMatch(query, conditions, { source });
  const keep = request.ignoreInvalidURLs ? onlyScrapable(match, deps.egress) : match;
  const categories = new Map<string, Category | undefined>();
  const now = deps.clock.now();
  const isRetained = !search.isTraceless && !search.isAnonymous;
  const [own, others] = await Promise.all([
    deps.asksIndex || visible.within
      ? askIndex(deps, teamId, visible, { ...request, limit: wanted }, query, asked, keep, signal)
      : undefined,
    visible.within
      ? []
      : deps.providers.ask(
          {
            query,
            conditions,
            source,
            now,
            wanted,
            rejectionOf(result, { name, category, capabilities }) {
              categories.set(name, category);
              return keep({ ...result, category }, capabilities(source));
            },
            retainFor: isRetained ? deps.sharing.ownerOfAnswers(teamId) : undefined,
            timeLeftMs: ends - now,
          },
          signal,
        ),
  ]);
  const lists = others.map(({ provider, kept }) => listOf(provider, kept, categories.get(provider)));
  const all = await withFinalUrls(deps, visible, [...(own?.lists ?? []), ...lists], source, keep);
  const fused = fuse(all, {
    keyOf: addressKey,
    limit: wanted,
    by: source === 'images' ? 'imageUrl' : 'url',
    sortByDate: conditions.sortByDate,
    preferred: INDEX_NAME,
  });
  return { all, fused, runs: own ? [own.run, ...others] : others, suggestion: own?.suggestion };
}

/** What the first provider that describes a page wrote about it. */
function descriptionsIn(lists: readonly RankedList<ResultCandidate>[]): (url: string) => string | undefined {
  const written = new Map<string, string>();
  for (const { provider, items } of lists) {
    if (provider === INDEX_NAME) continue;
    for (const { result } of items) {
      const key = addressKey(result.url);
      if (result.description.trim() !== '' && !written.has(key)) written.set(key, result.description);
    }
  }
  return (url) => written.get(addressKey(url));
}

/** A redirect and its target are one page: what is known to redirect gets the URL of the target, if that fits too. */
async function withFinalUrls(
  { pages }: SourceDeps,
  { viewer }: VisiblePages,
  lists: RankedList<ResultCandidate>[],
  source: Source,
  keep: Match,
): Promise<RankedList<ResultCandidate>[]> {
  if (source === 'images') return lists;
  const nameOf = ({ url }: ResultCandidate) => normaliseUrl(new URL(url));
  const names = lists.flatMap(({ items }) => items.map(({ result }) => nameOf(result)));
  const redirects = await pages.redirects(names, viewer);
  if (Object.keys(redirects).length === 0) return lists;
  const moved = (result: ResultCandidate): ResultCandidate => {
    const target = { ...result, url: redirects[nameOf(result)] ?? result.url };
    return keep(target, 'index') === undefined ? target : result;
  };
  return lists.map((list) => ({
    ...list,
    items: list.items.map(({ result, rank }) => ({ result: moved(result), rank })),
  }));
}

/** Only the index and a few providers know which sites are alike, and the index only those that it has pages of. */
async function unhonoured(
  deps: SourceDeps,
  visible: VisiblePages,
  { query }: AskedSearch,
  { conditions }: AskedSource,
  runs: readonly ProviderRun[],
): Promise<string[]> {
  const related = query.clauses.filter((clause) => clause.kind === 'related');
  const answered = runs.filter(({ state }) => state === 'answered');
  if (related.length === 0 || answered.some(({ clauses }) => clauses.includes('related'))) return [];
  const isIndexed = answered.some(({ provider }) => provider === INDEX_NAME);
  const known = await Promise.all(
    related.map(async ({ host }) => isIndexed && (await knowsSite(deps, visible, host, conditions))),
  );
  return related.flatMap(({ host, negated }, at) => (known[at] ? [] : [`${negated ? '-' : ''}related:${host}`]));
}

const listOf = (
  provider: string,
  kept: ProviderRun['kept'],
  category: Category | undefined,
): RankedList<ResultCandidate> => ({
  provider,
  items: category ? kept.map(({ result, rank }) => ({ result: { ...result, category }, rank })) : kept,
});

/** Drops results whose URL a scrape would refuse. */
function onlyScrapable(match: Match, egress: Egress): Match {
  return (candidate, trust) =>
    match(candidate, trust) ?? (isScrapable(candidate.url, egress) ? undefined : 'its URL cannot be scraped');
}

function isScrapable(address: string, egress: Egress): boolean {
  const url = readUrl(address);
  if (typeof url === 'string') return false;
  try {
    egress.check(url);
    return true;
  } catch {
    return false;
  }
}

/** Results that are sorted by date stay so. */
function arranged(
  ranking: DomainRanking | undefined,
  results: Fused<ResultCandidate>[],
  { sortByDate }: Conditions,
): Fused<ResultCandidate>[] {
  if (!ranking || sortByDate) return results;
  return ranking
    .arrange(results, ({ result }) => hostOf(result))
    .map((one) => ({ ...one, ranking: ranking.actionOn(hostOf(one.result)) }));
}

const hostOf = ({ url }: ResultCandidate): string => URL.parse(url)?.hostname ?? '';

export function addressKey(address: string): string {
  const url = URL.parse(address);
  return url ? urlKey(url, { similar: true, ignoreQuery: false }) : address;
}

export const inOrderOfSources = (found: FoundSource[]): FoundSource[] =>
  found.toSorted((a, b) => SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source));
