// The index entry of a text file that is neither HTML nor Markdown.
import { decodeXML } from 'entities';
import type { TextKind } from '../../markup/sniff.ts';
import type { EntryLink, IndexEntry } from '../../page/index-entry.ts';
import type { Discovered, PageMetadata } from '../../page/page.ts';
import { readDate } from '../../text/dates/read-date.ts';
import { normaliseUrl } from '../../urls/url.ts';
import { EntryLinks, MAX_LINK_TEXT } from './anchor-texts.ts';
import { fileTypeOf } from './facts/file-type.ts';
import { languageOf } from './facts/locale.ts';
import { createMetaReader } from './facts/meta-reader.ts';
import { nameFromUrl } from './facts/name-from-url.ts';
import { dateInPath } from './facts/published.ts';
import type { IndexedPage } from './indexed-page.ts';
import { MAX_DESCRIPTION, MAX_TITLE } from './page-entry.ts';
import { MAX_BODY, MAX_HEADINGS } from './text/body-text.ts';
import { clip, clipAtWord, tidy } from './text/clip.ts';
import { type MarkdownTarget, type PlainMarkdown, plainMarkdown } from './text/plain-markdown.ts';

/** Kinds that are not parsed into a tree. */
export type PlainKind = Exclude<TextKind, 'html' | 'markdown'>;

export interface TextEntrySource {
  kind: PlainKind;
  source: string;
  /** The Markdown made of the file, and the links found in it. */
  markdown: string;
  links: string[];
  metadata: PageMetadata;
  discovered: Discovered;
  page: IndexedPage;
}

/** Prose ranks higher than data. */
const QUALITY: Record<PlainKind, number> = {
  text: 0.7,
  feed: 0.5,
  csv: 0.5,
  json: 0.4,
  xml: 0.4,
};

export function textEntry(given: TextEntrySource): IndexEntry {
  const { kind, page, metadata, discovered } = given;
  const url = normaliseUrl(new URL(page.finalUrl));
  const text = plainOf(given);
  const meta = createMetaReader(metadata);
  const body = clipAtWord(text.body, MAX_BODY);
  const title = tidy(meta('title') ?? text.headings[0] ?? '', MAX_TITLE) || nameFromUrl(url);
  const description = tidy(meta('description', 'summary') ?? '', MAX_DESCRIPTION);
  const date = meta('date') ?? dateInPath(url);
  const published = date === undefined ? undefined : readDate(date, page.fetchedAt);
  const declared = [meta('language', 'lang'), page.headers['content-language']];
  return {
    url,
    title,
    description,
    headings: clip(text.headings.join('\n'), MAX_HEADINGS),
    body,
    language: languageOf([title, description, body], declared),
    countries: [],
    ...(published !== undefined && { publishedAt: published }),
    fetchedAt: page.fetchedAt,
    fileType: fileTypeOf(kind, url),
    isNews: false,
    quality: QUALITY[kind],
    links: linksOf(text.links, given.links, url),
    images: [],
    simhash: discovered.fingerprint.simhash,
  };
}

/** Text and XML are taken from the source, other kinds from their Markdown. */
function plainOf({ kind, source, markdown }: TextEntrySource): PlainMarkdown {
  if (kind === 'text') return asItStands(source.replace(/\r\n?/g, '\n'));
  if (kind === 'xml') return asItStands(xmlText(clip(source, MAX_BODY * 4)) || source);
  return plainMarkdown(markdown, MAX_BODY);
}

function asItStands(text: string): PlainMarkdown {
  const lines = clip(text, MAX_BODY * 2).split('\n');
  const body = lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
  return { body, headings: [], links: [] };
}

/** The text between the tags, one piece per line. */
function xmlText(source: string): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < source.length) {
    const start = source.indexOf('<', at);
    const text = source.slice(at, start === -1 ? source.length : start);
    if (text.trim() !== '') pieces.push(tidy(decodeXML(text), MAX_BODY));
    if (start === -1) break;
    const [opening, closing] = [
      ['<!--', '-->'],
      ['<![CDATA[', ']]>'],
      ['<', '>'],
    ].find(([sign]) => source.startsWith(sign!, start))!;
    const stop = source.indexOf(closing!, start + opening!.length);
    const end = stop === -1 ? source.length : stop;
    if (opening === '<![CDATA[') pieces.push(tidy(source.slice(start + opening.length, end), MAX_BODY));
    at = end + closing!.length;
  }
  return pieces.join('\n');
}

function linksOf(written: MarkdownTarget[], found: string[], own: string): EntryLink[] {
  const list = new EntryLinks(own);
  const all = [...written, ...found.map((target) => ({ text: '', target }))];
  for (const { text, target } of all) {
    if (!list.hasRoom()) break;
    const address = target.startsWith('#') ? undefined : list.wanted(URL.parse(target, own)?.href);
    if (address !== undefined) list.add(address, clip(text, MAX_LINK_TEXT));
  }
  return list.links();
}
