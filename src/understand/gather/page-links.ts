// The links of a page with their texts, and which of them continue its list.
import type { LinkToRead, SourcePage } from './gathered.ts';

export interface PageLinks {
  /** Each address once, those of the content first. */
  links: (LinkToRead & { isContent: boolean })[];
  /** Further pages of the list that the page shows, in their order. */
  series: string[];
}

/** `[text](url)`, where the text may have an image in it. */
const MARKDOWN_LINK = /\[((?:[^[\]\\]|\\.|!\[[^\]]{0,200}\]\([^)\s]{0,2000}\)){0,400})\]\((https?:[^\s)]{1,2000})/g;
const IMAGE = /!\[([^\]]{0,200})\]\([^)\s]{0,2000}\)/g;
const MAX_LINKS = 1_500;
const MAX_AROUND = 200;
const NOT_PAGES = /\.(?:jpe?g|png|gif|svg|webp|ico|css|js|mjs|woff2?|mp[34]|avi|mov|zip|gz|exe|dmg|xml|rss|atom)$/i;

export function linksOf(page: SourcePage): PageLinks {
  const texts = textsOf(page.markdown);
  const own = addressOf(page.url);
  const links = new Map<string, PageLinks['links'][number]>();
  const add = (url: string) => {
    const address = addressOf(url);
    if (address === undefined || address === own || links.has(address) || links.size >= MAX_LINKS) return;
    if (NOT_PAGES.test(new URL(address).pathname)) return;
    const text = texts.get(address);
    links.set(address, {
      url: address,
      ...text,
      ...(page.language && { language: page.language }),
      isContent: text !== undefined,
    });
  };
  for (const url of texts.keys()) add(url);
  for (const url of page.links) add(url);
  return { links: [...links.values()], series: seriesOf(page) };
}

function textsOf(markdown: string): Map<string, { title: string; description: string }> {
  const texts = new Map<string, { title: string; description: string }>();
  for (const match of markdown.matchAll(MARKDOWN_LINK)) {
    const address = addressOf(match[2]!);
    const title = plain(match[1]!);
    if (address === undefined || title === '') continue;
    const known = texts.get(address);
    // A picture and a headline often link to the same page: the longer text says more.
    if (known && known.title.length >= title.length) continue;
    texts.set(address, {
      title: title.slice(0, MAX_AROUND),
      description: aroundOf(markdown, match.index, match[0].length),
    });
    if (texts.size >= MAX_LINKS) break;
  }
  return texts;
}

const plain = (text: string): string =>
  text
    .replace(IMAGE, '$1')
    .replace(/\\(.)/g, '$1')
    .replace(/[*_`#>|\s]+/g, ' ')
    .trim();

/** What stands in the same line, and in the next one. */
function aroundOf(markdown: string, at: number, length: number): string {
  const start = Math.max(markdown.lastIndexOf('\n', at) + 1, at - MAX_AROUND);
  const after = markdown
    .slice(at + length, at + length + 2 * MAX_AROUND)
    .split(/\n{1,2}/, 2)
    .join(' ');
  const before = markdown.slice(start, at);
  return plain(`${before} ${after}`.replace(MARKDOWN_LINK, '$1')).slice(0, MAX_AROUND);
}

/** Without its fragment; undefined if it cannot be read. */
export function addressOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  url.hash = '';
  return url.href;
}

const PAGE_WORD =
  'page|pages|p|pg|pn|pageno|pagenum|pagenumber|paged|seite|pagina|página|pag|sida|side|strona|start|offset|from|skip';
const PAGE_PARAMETER = new RegExp(`^(?:${PAGE_WORD})$`, 'i');
const PAGE_IN_PATH = new RegExp(`([/_-])(?:${PAGE_WORD})[/_-]?(\\d{1,5})(?=[/.]|$)`, 'i');

interface SeriesPlace {
  /** The same for all pages of one list. */
  key: string;
  number: number;
}

/** Where a URL is in a list that goes over several pages; the first page often has no number. */
export function placeInSeries(text: string): SeriesPlace | undefined {
  const url = URL.parse(text);
  if (!url) return undefined;
  let number = 0;
  const rest = [...url.searchParams].filter(([name, value]) => {
    if (!PAGE_PARAMETER.test(name) || !/^\d{1,6}$/.test(value)) return true;
    number = Number(value);
    return false;
  });
  const path = url.pathname.replace(PAGE_IN_PATH, (_whole, _slash, digits: string) => {
    number = Number(digits);
    return '';
  });
  const query = rest
    .map((pair) => pair.join('='))
    .toSorted()
    .join('&');
  return { key: `${url.host}${path.replace(/\/(?:index\.\w+)?$/, '')}?${query}`, number };
}

function seriesOf(page: SourcePage): string[] {
  const own = placeInSeries(page.url);
  const declared = (page.next ?? []).flatMap((url) => addressOf(url) ?? []);
  if (!own) return declared;
  const numbered = page.links
    .flatMap((url) => addressOf(url) ?? [])
    .map((url) => ({ url, place: placeInSeries(url) }))
    .filter(({ place }) => place?.key === own.key && place.number > Math.max(1, own.number))
    .toSorted((a, b) => a.place!.number - b.place!.number)
    .map(({ url }) => url);
  return [...new Set([...declared, ...numbered])];
}
