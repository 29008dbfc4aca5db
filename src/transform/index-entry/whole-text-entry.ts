// The index entry of a text that is content throughout: a parsed file or a Markdown page.

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { Mask } from '../../markup/html/node-mask.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import type { IndexEntry } from '../../page/index-entry.ts';
import type { Discovered, PageMetadata } from '../../page/page.ts';
import { readDate } from '../../text/dates/read-date.ts';
import { normaliseUrl } from '../../urls/url.ts';
import { entryLinks } from './anchor-texts.ts';
import { entryImages } from './entry-images.ts';
import { countriesOf, languageOf } from './facts/locale.ts';
import { createMetaReader, type MetaReader } from './facts/meta-reader.ts';
import { nameFromUrl } from './facts/name-from-url.ts';
import { dateInPath, MIN_TIME } from './facts/published.ts';
import type { IndexedPage } from './indexed-page.ts';
import { MAX_DESCRIPTION, MAX_TITLE } from './page-entry.ts';
import { bodyText } from './text/body-text.ts';
import { tidy } from './text/clip.ts';

export interface WholeTextEntrySource {
  tree: HtmlTree;
  urls: PageUrls;
  mask: Mask;
  metadata: PageMetadata;
  discovered: Discovered;
  page: IndexedPage;
  fileType: string;
  quality: number;
}

/** Shorter texts rank lower. */
const SHORT_BODY = 200;
const DATES = ['publishedtime', 'date', 'dcdate', 'dctermscreated', 'article:published_time'];

export function wholeTextEntry(source: WholeTextEntrySource): IndexEntry {
  const { tree, urls, mask, metadata, discovered, page } = source;
  const url = normaliseUrl(new URL(page.finalUrl));
  const meta = createMetaReader(metadata);
  const { body, headings } = bodyText(tree, mask);
  const title = titleOf(meta, headings, nameFromUrl(url));
  const description = tidy(meta('description', 'summary', 'subject') ?? '', MAX_DESCRIPTION);
  const published = dateOf([...DATES.map((name) => meta(name)), dateInPath(url)], page.fetchedAt);
  const language = meta('language', 'lang');
  return {
    url,
    title,
    description,
    headings,
    body,
    language: languageOf([title, description, body], [language, page.headers['content-language']]),
    countries: countriesOf([language]),
    ...(published !== undefined && { publishedAt: published }),
    fetchedAt: page.fetchedAt,
    fileType: source.fileType,
    isNews: false,
    quality: body.length < SHORT_BODY ? source.quality / 2 : source.quality,
    links: entryLinks(tree, mask, urls, url),
    images: entryImages(tree, mask, urls),
    simhash: discovered.fingerprint.simhash,
  };
}

function titleOf(meta: MetaReader, headings: string, name: string): string {
  const said = tidy(meta('title') ?? '', MAX_TITLE);
  if (said !== '' && isDescriptive(said, name)) return said;
  return tidy(headings.split('\n', 1)[0]!, MAX_TITLE) || name;
}

function dateOf(texts: (string | undefined)[], now: number): number | undefined {
  for (const text of texts) {
    const time = text === undefined ? undefined : readDate(text, now);
    if (time !== undefined && time >= MIN_TIME) return time;
  }
  return undefined;
}

const PROGRAM = /^(?:microsoft (?:office )?(?:word|powerpoint|excel|publisher)|powerpoint|word|print) - /i;
const PATH = /^(?:file:|[a-z]:\\|\/)/i;
const FILE =
  /\.(?:docx?|docm|dotx?|pdf|xlsx?|xlsm|pptx?|ppsx?|od[tsp]|rtf|indd|qxd|tex|dvi|e?ps|tmp|pub|wpd|cdr|jpe?g|png|tiff?|html?|txt|md|vsd|dwg)$/i;
const PLACEHOLDER =
  /^(?:untitled|document|presentation|book|workbook|sheet|slide|page|title|unknown|none|null|undefined|template|powerpoint[ -]?pr[eéä]sentation|(?:no|kein) (?:title|titel)|unbenannt|sans titre|sin t[ií]tulo|senza titolo)[ _-]?\d{0,4}$/i;
const WORD = /\p{L}{2}/u;

/** Whether the title describes the content: many are set by the program that wrote the file. `name` is the file name. */
function isDescriptive(title: string, name: string): boolean {
  const text = title.trim();
  const isName = /[_\d-]/.test(text) && !/\s/.test(text) && text.toLowerCase() === bare(name).toLowerCase();
  const isJunk = [PROGRAM, PATH, FILE, PLACEHOLDER].some((pattern) => pattern.test(text));
  return WORD.test(text) && !isJunk && !isName;
}

const bare = (name: string): string => name.replace(/\.[a-z0-9]{1,5}$/i, '');
