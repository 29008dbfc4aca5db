// Parses a search request: the query becomes a tree, and each source gets its conditions.
import type { SearchRequest } from '../../contracts/search/search.ts';
import type { Conditions, Query, Source } from '../../contracts/search/search-query.ts';
import { hasSubject, parseQuery } from '../../search/query/query.ts';
import { readTbs } from '../../search/query/tbs.ts';
import { countryNamed } from '../../text/countries.ts';

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
/** MCP clients send it with every search, and no one chose it: it is only worth a word when it stands alone. */
const DATA_EXCHANGE = 'alexandria';
const DEVELOPER = ['developer', 'repo', 'code', 'docs', 'devdex'];
const MAX_NAMES = 5;
const MAX_NAME_LENGTH = 40;

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

/** One sentence for each kind of source or category that this search does not support. */
function unservedNames({ sources, categories }: Pick<SearchRequest, 'sources' | 'categories'>): string[] {
  const notes: string[] = [];
  const otherSources = sources.unknown.filter((name) => name !== DATA_EXCHANGE);
  if (sources.unknown.includes(DATA_EXCHANGE) && sources.known.length === 0) {
    notes.push(`The source '${DATA_EXCHANGE}' (a data exchange) is not served here; the web was searched instead.`);
  }
  if (otherSources.length > 0) {
    notes.push(`Unknown sources were ignored: ${listed(otherSources)}. Use web, news or images.`);
  }
  const developer = categories.unknown.filter((name) => DEVELOPER.includes(name));
  const others = categories.unknown.filter((name) => !DEVELOPER.includes(name) && name !== 'gov');
  if (developer.length > 0) {
    notes.push(`The category ${listed(developer)} has a search of its own: POST /v2/search/developer.`);
  }
  if (categories.unknown.includes('gov')) {
    notes.push("The category 'gov' is not served here. Name the hosts in `includeDomains` instead.");
  }
  if (others.length > 0) {
    notes.push(`Unknown categories were ignored: ${listed(others)}. Use github, research or pdf.`);
  }
  return notes;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `'${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}'`);
  return shown.join(', ') + (names.length > MAX_NAMES ? ' and more' : '');
}
