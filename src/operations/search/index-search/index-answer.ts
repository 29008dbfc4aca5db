// Writes what the index found as the answer of a call.
import type { IndexSearchRequest, IndexSearchResponse } from '../../../contracts/search/index-search.ts';
import type { FacetCount, FoundPages, PageMatch, TextSegment } from '../../../index/page-index.ts';
import type { TypedQuery } from '../../../search/query/typed-query.ts';
import type { Relaxed } from './relax.ts';

type Data = IndexSearchResponse['data'];

interface Written {
  request: IndexSearchRequest;
  typed: TypedQuery;
  relaxed: Relaxed | undefined;
  suggestion: string | null;
  /** Whether the rules about URLs let the caller see a page. */
  allows(url: URL): boolean;
}

/** BCP 47: undetermined. */
const UNKNOWN_LANGUAGE = 'und';
/** They apply to images. */
const SIZES = ['imagesize', 'larger'];

export function writeFound(
  found: FoundPages,
  { request, typed, relaxed, suggestion, allows }: Written,
): Omit<Data, 'ms'> {
  const allowed = found.hits.filter(({ url }) => allows(new URL(url)));
  const blocked = found.hits.length - allowed.length;
  const { facets, words, order, total, totalIs } = found;
  return {
    hits: allowed.map((hit) => writeHit(hit, request.explain)),
    ...{ total, totalIs },
    ...(found.hasMore && { nextOffset: request.offset + request.limit }),
    isManual: found.isSetApart,
    ...(blocked > 0 && { blocked }),
    ...(facets && {
      facets: {
        hosts: facets.hosts.filter(({ value }) => isAllowedHost(value, allows)),
        languages: facets.languages.map(namedLanguage),
        kinds: facets.kinds,
        dates: facets.dates,
      },
    }),
    query: {
      text: typed.text,
      order,
      conditions: typed.conditions.map((one) => ({ ...one, isIgnored: SIZES.includes(one.kind) })),
      words,
    },
    ...(relaxed && { relaxed }),
    ...(suggestion !== null && { suggestion }),
  };
}

function writeHit(hit: PageMatch, isExplained: boolean): Data['hits'][number] {
  const { url, title, passages, host, language, kind, fileType, date, isPublished, isVerified, score } = hit;
  return {
    ...{ url, title: textOf(title), host, kind, fileType, isPublished },
    language: language || UNKNOWN_LANGUAGE,
    date: new Date(date).toISOString(),
    ...(!isVerified && { tlsVerified: false as const }),
    marked: { title, passages },
    ...(score !== undefined && { score }),
    ...(isExplained && {
      explain: {
        ...{ parts: hit.parts ?? [], isMovedDown: hit.isMovedDown },
        ...(hit.ranking && { ranking: hit.ranking }),
      },
    }),
  };
}

const textOf = (segments: readonly TextSegment[]): string => segments.map(({ text }) => text).join('');

const namedLanguage = ({ value, pages }: FacetCount): FacetCount => ({ value: value || UNKNOWN_LANGUAGE, pages });

function isAllowedHost(host: string, allows: (url: URL) => boolean): boolean {
  const url = URL.parse(`http://${host}/`);
  return url !== null && allows(url);
}
