// What the categories and engines of a request ask for, as sources, categories and hosts of a search.
import type { Category, Source } from '../../contracts/search/search-query.ts';

export interface AskedKinds {
  /** Empty: nothing that was asked for can be searched here. */
  sources: Source[];
  categories: Category[];
  domains: string[];
  /** Names that were asked for and are not served. */
  unserved: string[];
}

interface Kind {
  source: Source;
  category?: Category;
  domain?: string;
}

const WEB: Kind = { source: 'web' };
const NEWS: Kind = { source: 'news' };
const IMAGES: Kind = { source: 'images' };
const RESEARCH: Kind = { source: 'web', category: 'research' };
const GITHUB: Kind = { source: 'web', category: 'github' };
const site = (domain: string): Kind => ({ source: 'web', domain });

const BY_CATEGORY: Readonly<Record<string, Kind>> = {
  ...{ general: WEB, web: WEB, news: NEWS, images: IMAGES, science: RESEARCH, 'scientific publications': RESEARCH },
  ...{ it: GITHUB, repos: GITHUB, code: GITHUB, files: { source: 'web', category: 'pdf' } },
};
/** Searched only if nothing else was asked for. */
const INSTEAD: Readonly<Record<string, Kind>> = {
  videos: site('youtube.com'),
  'social media': site('reddit.com'),
};
const UNSERVED = new Set(['music', 'map', 'videos', 'social media']);

const BY_ENGINE: Readonly<Record<string, Kind>> = {
  ...{ arxiv: RESEARCH, 'google scholar': RESEARCH, pubmed: RESEARCH, 'semantic scholar': RESEARCH },
  ...{ crossref: RESEARCH, openalex: RESEARCH, github: GITHUB, stackoverflow: GITHUB },
  ...{ youtube: site('youtube.com'), reddit: site('reddit.com'), wikipedia: site('wikipedia.org') },
  hackernews: site('news.ycombinator.com'),
};

/** Names in lower case. Engines that name a kind of result win; general ones, and unknown ones, leave it to the categories. */
export function readKinds(categories: readonly string[], engines: readonly string[]): AskedKinds {
  const byEngine = engines.map(kindOfEngine).filter((kind) => kind !== undefined);
  if (byEngine.length > 0) return joined(byEngine, []);
  const names = categories.map((name) => name.replaceAll('_', ' '));
  const unserved = names.filter((name) => UNSERVED.has(name));
  const known = names.map((name) => BY_CATEGORY[name]).filter((kind) => kind !== undefined);
  if (known.length > 0) return joined(known, unserved);
  const instead = names.map((name) => INSTEAD[name]).filter((kind) => kind !== undefined);
  if (instead.length > 0)
    return joined(
      instead,
      unserved.filter((name) => !Object.hasOwn(INSTEAD, name)),
    );
  return unserved.length > 0 ? { sources: [], categories: [], domains: [], unserved } : joined([WEB], []);
}

function kindOfEngine(name: string): Kind | undefined {
  if (/\bimages$/.test(name)) return IMAGES;
  if (/\bnews$/.test(name)) return NEWS;
  return BY_ENGINE[name];
}

/** A category or a host limits all results, so it holds only if everything that is asked for has one. */
function joined(kinds: readonly Kind[], unserved: string[]): AskedKinds {
  const limited = <Name extends 'category' | 'domain'>(name: Name) =>
    kinds.every((kind) => kind[name] !== undefined) ? [...new Set(kinds.map((kind) => kind[name]!))] : [];
  return {
    sources: [...new Set(kinds.map(({ source }) => source))],
    categories: limited('category'),
    domains: limited('domain'),
    unserved,
  };
}
