// Reads XML sitemaps (urlset, sitemapindex) and the feeds RSS, RDF and Atom as a stream, up to the first error.
import { createXmlStream } from '../../markup/xml/xml-stream.ts';
import { localName } from '../../markup/xml/xml-tree.ts';
import {
  broken,
  createCollector,
  notASitemap,
  readAddress,
  type SitemapBatch,
  type SitemapEntry,
  type SitemapReader,
} from './sitemap-reader.ts';

interface Format {
  kind: keyof SitemapBatch;
  item: string;
  url: string;
  dates: readonly string[];
}

/** By root element. All names are in lower case and without prefix. The dates are those of changes, not of publication. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['urlset', { kind: 'entries', item: 'url', url: 'loc', dates: ['lastmod'] }],
  ['sitemapindex', { kind: 'sitemaps', item: 'sitemap', url: 'loc', dates: [] }],
  ['rss', { kind: 'entries', item: 'item', url: 'link', dates: [] }],
  ['rdf', { kind: 'entries', item: 'item', url: 'link', dates: [] }],
  ['feed', { kind: 'entries', item: 'entry', url: 'link', dates: ['updated'] }],
]);

type Field = 'url' | 'date' | 'title';

// No real file nests this deep, and every open element takes memory.
const MAX_DEPTH = 64;
// Tags and texts are held until they are complete. No article in a feed is this long.
const MAX_SPAN = 4 * 1024 * 1024;
const MAX_TEXT = 20_000;
const MAX_TITLE = 500;
/** A date without a time is over everywhere on Earth when this has passed since its start in UTC. */
const LONGEST_DAY_MS = 36 * 3_600_000;

export function createXmlReader(base: URL, maxUrls: number): SitemapReader {
  const items = createItems(base, maxUrls);
  const stream = createXmlStream({
    open: items.open,
    close() {
      items.close();
      // Some servers append debug output or scripts after the root.
      if (items.isOver()) stream.stop();
    },
    text: items.addText,
    fault(kind, message) {
      // Bare ampersands and control characters are common and harmless.
      if (kind !== 'structure') return;
      throw items.isKnown() ? broken(`Its XML is broken: ${message}`) : notASitemap();
    },
  });
  return {
    write(piece) {
      stream.write(piece);
      if (stream.tokenLength > MAX_SPAN) throw broken('It contains a single tag or text that is too long.');
    },
    end: stream.end,
    take: items.take,
  };
}

/** Assembles items from tags and text. */
function createItems(base: URL, maxUrls: number) {
  const { add, take } = createCollector(maxUrls);
  const path: string[] = [];
  let format: Format | undefined;
  let item: Partial<Record<Field, string>> = {};
  let field: Field | undefined;
  let fieldDepth = 0;
  let text = '';
  let isOver = false;

  const open = (fullName: string, attributes: Readonly<Record<string, string>>) => {
    const name = localName(fullName).toLowerCase();
    const parent = path.at(-1) ?? '';
    if (path.length === 0) format = FORMATS.get(name);
    if (!format) throw notASitemap();
    path.push(name);
    if (path.length > MAX_DEPTH) throw broken('Its elements are nested too deeply.');
    if (name === format.item) item = {};
    if (field !== undefined) return;
    field = fieldOf(format, name, parent);
    fieldDepth = path.length;
    text = '';
    // Atom has the URL in an attribute, and may have several links.
    const isAddress = field === 'url' && /^(?:alternate)?$/i.test(attributes.rel ?? '');
    if (isAddress && attributes.href) item.url ??= attributes.href;
  };

  const close = () => {
    if (field !== undefined && path.length === fieldDepth) {
      if (text.trim() !== '') item[field] ??= text;
      field = undefined;
    }
    if (path.pop() === format?.item) finishItem(format!);
    isOver = path.length === 0;
  };

  const finishItem = ({ kind }: Format) => {
    const url = readAddress(item.url ?? '', base);
    if (url !== undefined) add(kind, { url, ...readDate(item.date), ...readTitle(item.title) });
    item = {};
  };

  const addText = (more: string) => {
    if (field !== undefined && text.length < MAX_TEXT) text += more;
  };

  return { open, close, addText, take, isKnown: () => format !== undefined, isOver: () => isOver };
}

function fieldOf(format: Format, name: string, parent: string): Field | undefined {
  // News sitemaps have the title one level deeper.
  if (name === 'title' && (parent === format.item || parent === 'news')) return 'title';
  if (parent !== format.item) return undefined;
  if (name === format.url) return 'url';
  return format.dates.includes(name) ? 'date' : undefined;
}

function readDate(text = ''): Pick<SitemapEntry, 'lastModified'> {
  const date = text.trim().slice(0, 64);
  const time = Date.parse(date);
  // A year or a month says too little.
  if (Number.isNaN(time) || date.length < 'YYYY-MM-DD'.length) return {};
  return { lastModified: date.includes(':') ? time : time + LONGEST_DAY_MS };
}

function readTitle(text = ''): Pick<SitemapEntry, 'title'> {
  const title = text.trim().replaceAll('&amp;', '&').slice(0, MAX_TITLE).toWellFormed();
  // A copy, because a substring would keep the whole piece of the file in memory.
  return title === '' ? {} : { title: Buffer.from(title).toString() };
}
