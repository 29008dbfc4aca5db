// Whether a page is a news article. If in doubt it is not: a search for news must not find manuals and shops.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { MetaReader } from './meta-reader.ts';

export interface NewsEvidence {
  tree: HtmlTree;
  meta: MetaReader;
  url: string;
  /** The types in its JSON-LD. */
  types: readonly string[];
  publishedAt: number | undefined;
}

const NEWS_TYPE = /NewsArticle$|^LiveBlogPosting$/;
const NEWS_ITEM = /schema\.org\/\w{0,20}NewsArticle\s*$/;
// Used only by news sites, for the news search of large engines.
const NEWS_NAMES = ['news_keywords', 'syndication-source', 'original-source'];
const NEWS_HOST = /^(?:www\.)?news\./;
const NEWS_PATH =
  /\/(?:news|newsroom|nachrichten|noticias|actualites?|notizie|nieuws|nyheter|world-news|breaking-news)\//;

export function isNews({ tree, meta, url, types, publishedAt }: NewsEvidence): boolean {
  if (publishedAt === undefined) return false;
  const address = URL.parse(url);
  // A front page lists articles but is not one.
  if (!address || address.pathname === '/') return false;
  if (types.some((type) => NEWS_TYPE.test(type)) || isOneNewsItem(tree)) return true;
  if (meta('og:type')?.trim().toLowerCase() !== 'article') return false;
  const isFromPaper = meta('article:section') !== undefined && meta('article:publisher') !== undefined;
  return (
    meta(...NEWS_NAMES) !== undefined ||
    (isFromPaper && types.includes('Article')) ||
    NEWS_HOST.test(address.hostname) ||
    NEWS_PATH.test(address.pathname.toLowerCase())
  );
}

/** Exactly one item: in a list, each teaser is marked. */
function isOneNewsItem(tree: HtmlTree): boolean {
  const itemType = tree.attributeNumber('itemtype');
  if (itemType === -1) return false;
  let items = 0;
  for (let node = 1; node < tree.size && items < 2; node++) {
    const type = tree.attributeAt(node, itemType);
    if (type !== undefined && NEWS_ITEM.test(type)) items += 1;
  }
  return items === 1;
}
