// What one search has fetched from OpenSearch so far. Reading is synchronous: what is missing is noted, and fetched together
// before the search runs again.
import type { Viewer } from '../../../page/page-owner.ts';
import type { PageDocuments, SearchAnswer } from '../engine/page-store.ts';
import { type LinkingHost, rowsTo } from '../ingest/link-rows.ts';
import { type FullContent, type PageCandidate, readCandidate } from '../ingest/page-document.ts';
import { fetchCompletions } from './completions.ts';
import { createFetchedVectors, type FetchedVectors } from './fetched-vectors.ts';
import type { Statistics, TermCount } from './score-clauses.ts';
import { countTerms, countVisible } from './term-counts.ts';

export interface FetchedCandidate extends PageCandidate {
  /** Names of the matches that the page has, see `matchName`. */
  matches: Set<string>;
}

export interface LoadSummary {
  /** False if OpenSearch has more than the search asked for. */
  isComplete: boolean;
  total: number;
  aggregations: SearchAnswer['aggregations'];
}

/** A search whose hits are candidates. */
export interface CandidateSearch {
  size: number;
  [option: string]: unknown;
}

export interface SearchFetch extends FetchedVectors {
  readonly pages: ReadonlyMap<string, FetchedCandidate>;
  /** Hosts of the links that were read. */
  readonly linkingHosts: ReadonlySet<string>;
  /** How often something was missing. */
  readonly misses: number;
  load(search: CandidateSearch): LoadSummary | undefined;
  content(id: string): FullContent | undefined;
  statistics(): Statistics;
  linksTo(target: number): readonly LinkingHost[];
  completions(prefix: string): readonly string[];
  /** Fetches what was missing. False if nothing was. */
  fetchMissing(): Promise<boolean>;
}

const CONTENTS_AT_ONCE = 40;
const NOTHING: FullContent = { headings: '', body: '', images: [], links: [], anchors: [] };

export function createFetched(store: PageDocuments, viewer: Viewer): SearchFetch {
  const pages = new Map<string, FetchedCandidate>();
  const loads = new Map<string, LoadSummary>();
  const contents = new Map<string, FullContent>();
  const counts = new Map<string, TermCount>();
  const links = new Map<number, LinkingHost[]>();
  const completions = new Map<string, string[]>();
  const linkingHosts = new Set<string>();
  let totals: Omit<Statistics, 'countOf'> | undefined;
  let misses = 0;
  const miss = <T>(set: Set<T>, what: T): undefined => {
    misses += 1;
    set.add(what);
  };

  const ofVectors = createFetchedVectors(store, miss);
  const missing = { ...createMissing(), ...ofVectors.missing };

  const fetches = {
    ...ofVectors.fetches,
    async loads() {
      const wanted = [...missing.loads];
      const answers = await store.search(wanted.map((body) => JSON.parse(body) as CandidateSearch));
      for (const [at, answer] of answers.entries()) {
        for (const { fields, matched_queries: names = [] } of answer.hits.hits) {
          const candidate = readCandidate(fields!);
          const known = pages.get(candidate.id);
          if (known) for (const name of names) known.matches.add(name);
          else pages.set(candidate.id, { ...candidate, matches: new Set(names) });
        }
        const { size } = JSON.parse(wanted[at]!) as CandidateSearch;
        const total = answer.hits.total?.value ?? answer.hits.hits.length;
        loads.set(wanted[at]!, { isComplete: total <= size, total, aggregations: answer.aggregations });
      }
    },
    async contents() {
      const ids = [...missing.contents];
      for (let at = 0; at < ids.length; at += CONTENTS_AT_ONCE) {
        const some = ids.slice(at, at + CONTENTS_AT_ONCE);
        const found = await store.get<{ content: FullContent }>(some, ['content']);
        // A page that was removed in the meantime has nothing to show.
        for (const [index, id] of some.entries()) contents.set(id, found[index]?.content ?? NOTHING);
      }
    },
    async totals() {
      if (missing.totals.size > 0) totals = await countVisible(store, viewer);
    },
    async terms() {
      for (const [term, count] of await countTerms(store, viewer, [...missing.terms])) counts.set(term, count);
    },
    async links() {
      const targets = [...missing.targets];
      const rows = await rowsTo(store, targets);
      for (const target of targets) links.set(target, []);
      for (const row of rows.values()) {
        links.get(row.target)?.push(row);
        linkingHosts.add(row.host);
      }
    },
    async completions() {
      for (const prefix of missing.prefixes) completions.set(prefix, await fetchCompletions(store, viewer, prefix));
    },
  };

  const { vector, near } = ofVectors;
  return {
    ...{ pages, linkingHosts, vector, near },
    get misses() {
      return misses;
    },
    load(search) {
      const body = JSON.stringify(search);
      return loads.get(body) ?? miss(missing.loads, body);
    },
    content: (id) => contents.get(id) ?? miss(missing.contents, id),
    statistics() {
      if (!totals) miss(missing.totals, true);
      return {
        ...(totals ?? { total: 0, totalLength: 0, all: 0 }),
        countOf: (term) => counts.get(term) ?? miss(missing.terms, term),
      };
    },
    linksTo: (target) => links.get(target) ?? miss(missing.targets, target) ?? [],
    completions: (prefix) => completions.get(prefix) ?? miss(missing.prefixes, prefix) ?? [],
    async fetchMissing() {
      if (Object.values(missing).every(({ size }) => size === 0)) return false;
      await Promise.all(Object.values(fetches).map((work) => work()));
      for (const set of Object.values(missing)) set.clear();
      return true;
    },
  };
}

const createMissing = () => ({
  loads: new Set<string>(),
  contents: new Set<string>(),
  totals: new Set<boolean>(),
  terms: new Set<string>(),
  targets: new Set<number>(),
  prefixes: new Set<string>(),
});
