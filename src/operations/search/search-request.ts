// Parses a search request: the query becomes a tree, and each source gets its conditions.
import type { SearchRequest } from '../../contracts/search/search.ts';
import type { Conditions, Query, Source } from '../../contracts/search/search-query.ts';
import { hasSubject, parseQuery } from '../../search/query/query.ts';
import { readTbs } from '../../search/query/tbs.ts';
import { countryNamed } from '../../text/countries.ts';
import { unservedNames } from './unserved-names.ts';

export interface AskedSource {
  source: Source;
  conditions: Conditions;
}

export interface AskedSearch {
  query: Query;
  sources: AskedSource[];
  /** Sources for which the query says nothing to look for. They are answered with nothing. */
  emptySources: AskedSource[];
  /** Whether nothing about the search may be stored. */
  isTraceless: boolean;
  /** Whether the query may not be stored, nor who sent it. */
  isAnonymous: boolean;
  warnings: string[];
}

const DEFAULT_COUNTRY = 'US';

export function readSearch(request: SearchRequest, now: number): AskedSearch {
  const isTraceless = request.zeroDataRetention || request.enterprise.includes('zdr');
  const isAnonymous = request.enterprise.includes('anon');
  const query = parseQuery(request.query);
  const sources = readSources(request, now);
  return {
    query,
    sources: sources.filter(({ source }) => hasSubject(query, source)),
    emptySources: sources.filter(({ source }) => !hasSubject(query, source)),
    isTraceless,
    isAnonymous,
    warnings: unservedNames(request),
  };
}

function readSources(request: SearchRequest, now: number): AskedSource[] {
  const { known } = request.sources;
  const requested: typeof known = known.length > 0 ? known : [{ type: 'web' }];
  const byType = new Map(requested.map((source) => [source.type, source]));
  return [...byType].map(([source, own]) => {
    const tbs = own.tbs ?? request.tbs;
    return {
      source,
      conditions: {
        ...(tbs === undefined ? { sortByDate: false } : readTbs(tbs, now)),
        includeDomains: request.includeDomains,
        excludeDomains: request.excludeDomains,
        categories: request.categories.known,
        ...regionOf(own.country ?? request.country, own.lang ?? request.lang, own.location ?? request.location),
        ...(request.safe !== undefined && { safe: request.safe }),
      },
    };
  });
}

type Region = Pick<Conditions, 'country' | 'language' | 'location'>;

/** A country says where a search is made and not in which language: only `lang` does. */
export function regionOf(country: string | undefined, lang: string | undefined, location: string | undefined): Region {
  // In "city, region, country" the country comes last.
  const named = country ?? (location === undefined ? undefined : countryNamed(location.split(',').at(-1)!));
  const language = languageIn(lang);
  return {
    country: named ?? DEFAULT_COUNTRY,
    ...(language !== undefined && { language }),
    ...(location !== undefined && { location }),
  };
}

const languageIn = (tag: string | undefined): string | undefined => /^[a-z]{2}\b/i.exec(tag ?? '')?.[0].toLowerCase();
