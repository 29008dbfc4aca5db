// Sitemaps as XML: urlset, sitemapindex, and the feeds RSS, RDF and Atom, read as a stream and never further than the first fault.
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { ServiceError } from '../../contracts/errors.ts';
import {
  broken,
  createCollector,
  type Findings,
  notASitemap,
  readAddress,
  type SitemapEntry,
  type SitemapReader,
} from './sitemap-reader.ts';

interface Format {
  kind: keyof Findings;
  item: string;
  url: string;
  dates: readonly string[];
}

/** By the name of the root element. All names without prefix and in lower case. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['urlset', { kind: 'entries', item: 'url', url: 'loc', dates: ['lastmod'] }],
  ['sitemapindex', { kind: 'sitemaps', item: 'sitemap', url: 'loc', dates: [] }],
  ['rss', { kind: 'entries', item: 'item', url: 'link', dates: ['pubdate', 'date'] }],
  ['rdf', { kind: 'entries', item: 'item', url: 'link', dates: ['date'] }],
  ['feed', { kind: 'entries', item: 'entry', url: 'link', dates: ['updated', 'published'] }],
]);

type Field = 'url' | 'date' | 'title';

// Nothing real nests this deep, and every open element takes memory.
const MAX_DEPTH = 64;
// The parser keeps a tag, text or comment whole. No article in a feed is this long.
const MAX_SPAN = 4 * 1024 * 1024;
const MAX_TEXT = 20_000;
const MAX_TITLE = 500;

export function createXmlReader(base: URL, maxUrls: number): SitemapReader {
  const items = createItems(base, maxUrls);
  const repair = createRepair();
  const parser = new SaxesParser();
  let span = 0;

  const handle =
    <T>(handler?: (event: T) => void) =>
    (event: T) => {
      span = 0;
      handler?.(event);
    };
  parser.on('opentag', handle(items.open));
  parser.on('closetag', handle(items.close));
  parser.on('text', handle(items.addText));
  parser.on('cdata', handle(items.addText));
  parser.on('comment', handle());

  const feed = (piece: string | null) => {
    // Whatever servers append behind the root (debug output, scripts) is not our business.
    if (items.isOver()) return;
    span += piece?.length ?? 0;
    if (span > MAX_SPAN) throw broken('It has a single piece of text that is too long.');
    try {
      parser.write(piece);
    } catch (error) {
      if (items.isOver()) return;
      if (error instanceof ServiceError) throw error;
      if (!items.isKnown()) throw notASitemap();
      throw broken(`Its XML is broken: ${(error as Error).message}`, error);
    }
  };

  return {
    write: (piece) => feed(repair.write(piece)),
    end() {
      feed(repair.end());
      feed(null);
    },
    take: items.take,
  };
}

/** Puts items together from the tags and the text between them. */
function createItems(base: URL, maxUrls: number) {
  const { add, take } = createCollector(maxUrls);
  const path: string[] = [];
  let format: Format | undefined;
  let item: Partial<Record<Field, string>> = {};
  let field: Field | undefined;
  let fieldDepth = 0;
  let text = '';
  let isOver = false;

  const open = ({ name: fullName, attributes }: SaxesTagPlain) => {
    const name = localName(fullName);
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
    // Atom has the address in an attribute, and several of them.
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
  // News sitemaps have the title one level down.
  if (name === 'title' && (parent === format.item || parent === 'news')) return 'title';
  if (parent !== format.item) return undefined;
  if (name === format.url) return 'url';
  return format.dates.includes(name) ? 'date' : undefined;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

// Entities that a document declares are never expanded: an ampersand that starts none of these is only an ampersand.
const NOT_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)/g;
const LONGEST_REFERENCE = '&#1114111;'.length;

/** Mends what many sites get wrong and every XML parser refuses: bare ampersands, control characters, blanks at the start. */
function createRepair() {
  let held = '';
  let isStarted = false;
  const mend = (text: string) => text.replace(NOT_XML, (found) => (found === '&' ? '&amp;' : ''));
  return {
    write(piece: string): string {
      const all = held + piece;
      const text = isStarted ? all : all.trimStart();
      isStarted ||= text !== '';
      // A reference may go on in the next piece.
      const last = text.indexOf('&', Math.max(0, text.length - LONGEST_REFERENCE + 1));
      const end = last < 0 ? text.length : last;
      held = text.slice(end);
      return mend(text.slice(0, end));
    },
    end: () => mend(held),
  };
}

function readDate(text = ''): Pick<SitemapEntry, 'lastModified'> {
  const time = Date.parse(text.trim().slice(0, 64));
  return Number.isNaN(time) ? {} : { lastModified: new Date(time).toISOString() };
}

function readTitle(text = ''): Pick<SitemapEntry, 'title'> {
  const title = text.trim().replaceAll('&amp;', '&').slice(0, MAX_TITLE).toWellFormed();
  // A copy: what is cut out of a piece of the file would keep the whole piece in memory.
  return title === '' ? {} : { title: Buffer.from(title).toString() };
}
