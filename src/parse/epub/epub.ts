// E-books (EPUB 2 and 3): the chapters in the order of the spine as one HTML document.
import { decodeText } from '../../markup/charset.ts';
import { bodyFragment, type FragmentRules } from '../../markup/html/fragment.ts';
import { openZip, type ZipArchive } from '../container/zip.ts';
import { createEmbeddedPictures, type EmbeddedPictures } from '../embedded-pictures.ts';
import type { FormatParser } from '../format-parser.ts';
import { resolvePath } from './book-paths.ts';
import { withHeading } from './chapter-headings.ts';
import { readPackage } from './epub-package.ts';

interface Book {
  archive: ZipArchive;
  /** Chapters by their path in the archive, from 1. */
  numbers: ReadonlyMap<string, number>;
  pictures: EmbeddedPictures;
  /** What the targets of jumps are called, by chapter and name. */
  anchors: Map<string, string>;
}

/** What footnotes and the ways back from them are called. */
const NOTE = /^_?(?:fn|foot|note|ftn|edn|end|cite|ref|r?\d|en\d|f\d)/i;
const OUTWARD = /^(?:https?|mailto|tel):/i;

export const parseEpub: FormatParser = async ({ bytes }) => {
  const archive = openZip(bytes);
  const { parts, titles, metadata, warnings } = readPackage(archive);
  const numbers = new Map(parts.map(({ path }, at) => [path, at + 1]));
  const book: Book = { archive, numbers, pictures: createEmbeddedPictures(), anchors: new Map() };
  const chapters: string[] = [];
  let missing = 0;
  for (const { path, mediaType } of parts) {
    const chapter = archive.read(path);
    if (!chapter) {
      missing += 1;
      continue;
    }
    const { text } = decodeText(chapter, mediaType, { html: true });
    const body = bodyFragment(text, chapterRules(book, path, mediaType));
    chapters.push(`<section>${withHeading(body, titles.get(path))}</section>`);
  }
  if (missing > 0) warnings.push(`Parts that the book lists but does not have: ${missing}.`);
  return { body: { html: chapters.join('\n') }, metadata, warnings };
};

const chapterRules = (book: Book, path: string, mediaType: string): FragmentRules => ({
  xml: mediaType !== 'text/html',
  link: (href, isMark) => linkTarget(book, path, href, isMark),
  picture: (src) => pictureSource(book, path, src),
  anchor: (name) => anchor(book, book.numbers.get(path) ?? 0, name, 'ref'),
});

/** The same name may stand in every chapter. Notes are known by theirs: a mark leads to what comes later, a way back does not. */
function anchor({ anchors }: Book, chapter: number, name: string, sort: 'fn' | 'ref'): string {
  const key = `${name}-${chapter}`;
  const known = anchors.get(key) ?? `${sort}-${key}`;
  anchors.set(key, known);
  return known;
}

/** Jumps inside a book lead nowhere once it is one text, but for those to notes. */
function linkTarget(book: Book, from: string, href: string, isMark: boolean): string | undefined {
  if (OUTWARD.test(href)) return href;
  const { path, fragment } = resolvePath(href, from) ?? { path: '', fragment: '' };
  const chapter = book.numbers.get(path);
  if (chapter === undefined || fragment === '') return undefined;
  return isMark || NOTE.test(fragment) ? `#${anchor(book, chapter, fragment, 'fn')}` : undefined;
}

function pictureSource({ archive, pictures }: Book, from: string, src: string): string | undefined {
  const path = resolvePath(src, from)?.path;
  return path === undefined ? undefined : pictures.dataUri(path, () => readable(archive, path));
}

/** A picture that cannot be unpacked costs the book a picture. */
function readable(archive: ZipArchive, path: string): Uint8Array | undefined {
  try {
    return archive.read(path);
  } catch {
    return undefined;
  }
}
