// A search of the pipeline as SearXNG's list of results.
import type { ResponseOf } from '../../contracts/route-types.ts';
import type { Source } from '../../contracts/search/search-query.ts';

type Found = ResponseOf<'search'>;
type Web = NonNullable<Found['data']['web']>[number];
type News = NonNullable<Found['data']['news']>[number];
type Image = NonNullable<Found['data']['images']>[number];

export const ENGINE = 'trawl';

export interface SearxResult {
  url: string;
  title: string;
  content: string;
  engine: string;
  engines: string[];
  parsed_url: string[];
  template: string;
  positions: number[];
  score: number;
  category: string;
  publishedDate: string | null;
  pubdate: string;
  thumbnail: string;
  img_src: string;
  [field: string]: unknown;
}

/** In turns from each source, so that every kind of result is near the top. */
export function resultsOf({ data }: Pick<Found, 'data'>, sources: readonly Source[]): SearxResult[] {
  const lists = sources.map((source) => {
    if (source === 'web') return (data.web ?? []).map(webResult);
    return source === 'news' ? (data.news ?? []).map(newsResult) : (data.images ?? []).map(imageResult);
  });
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const merged = Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat();
  // Open WebUI sorts by it. The service has no score of its own to give, so it is the rank.
  return merged.map((result, rank) => ({ ...result, score: 1 / (rank + 1) }));
}

interface Known {
  url: string;
  title: string;
  position: number;
  explain?: { providers: { provider: string; rank: number }[] };
}

function base({ url, title, position, explain }: Known, content: string, category: string): SearxResult {
  const providers = explain?.providers ?? [];
  return {
    ...{ url, title, content, engine: ENGINE },
    engines: [ENGINE, ...new Set(providers.map(({ provider }) => provider).filter((name) => name !== 'index'))],
    parsed_url: parsedUrl(url),
    template: 'default.html',
    positions: [position, ...providers.map(({ rank }) => rank)],
    ...{ score: 0, category, publishedDate: null, pubdate: '', thumbnail: '', img_src: '', iframe_src: '' },
    ...{ audio_src: '', author: '', metadata: '', views: '', length: null, priority: '' },
  };
}

const webResult = (found: Web): SearxResult => ({
  ...base(found, found.description, 'general'),
  ...videoOf(found.url),
});

function newsResult(found: News): SearxResult {
  const { snippet, imageUrl = '', date } = found;
  const published = date?.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  return {
    ...base(found, snippet, 'news'),
    ...(published !== undefined && { publishedDate: published, pubdate: published.replace('T', ' ') }),
    thumbnail: imageUrl,
    ...videoOf(found.url),
  };
}

function imageResult(found: Image): SearxResult {
  const { imageUrl, imageWidth, imageHeight, url } = found;
  return {
    ...base(found, '', 'images'),
    template: 'images.html',
    img_src: imageUrl,
    thumbnail_src: imageUrl,
    thumbnail: imageUrl,
    resolution: imageWidth !== undefined && imageHeight !== undefined ? `${imageWidth} x ${imageHeight}` : '',
    source: URL.parse(url)?.host ?? '',
  };
}

/** Vane shows a video only with both of them. */
function videoOf(url: string): Partial<SearxResult> {
  const { hostname = '', pathname = '', searchParams } = URL.parse(url) ?? {};
  const host = hostname.replace(/^(?:www|m)\./, '');
  const id = host === 'youtu.be' ? pathname.slice(1) : host === 'youtube.com' ? searchParams?.get('v') : undefined;
  if (!id || !/^[\w-]{11}$/.test(id)) return {};
  return {
    template: 'videos.html',
    thumbnail: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
    iframe_src: `https://www.youtube-nocookie.com/embed/${id}`,
  };
}

/** As Python's urlparse: scheme, host, path, parameters, query, fragment. */
function parsedUrl(text: string): string[] {
  const url = URL.parse(text);
  if (!url) return ['', '', text, '', '', ''];
  return [url.protocol.slice(0, -1), url.host, url.pathname, '', url.search.slice(1), url.hash.slice(1)];
}

/** The providers that gave no answer, and why. */
export const unresponsive = ({ explain }: Pick<Found, 'explain'>): [string, string][] =>
  (explain?.providers ?? []).flatMap(({ provider, state, problem }): [string, string][] => {
    if (state === 'answered') return [];
    return [[provider, state === 'timed-out' ? 'timeout' : (problem ?? state)]];
  });
