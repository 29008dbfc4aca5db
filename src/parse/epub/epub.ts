// Parses e-books (EPUB 2 and 3): joins the chapters in spine order into one HTML text.
import { decodeText } from '../../markup/charset.ts';
import { bodyFragment, type FragmentRules } from '../../markup/html/fragment.ts';
import { openZip, type ZipArchive } from '../container/zip.ts';
import { createEmbeddedPictures, type EmbeddedPictures } from '../embedded-pictures.ts';
import type { FormatParser } from '../format-parser.ts';
import { resolveBookPath } from './book-paths.ts';
import { addHeading } from './chapter-headings.ts';
import { readEpubPackage } from './epub-package.ts';

interface Book {
  archive: ZipArchive;
  /** Chapter numbers by archive path, from 1. */
  numbers: ReadonlyMap<string, number>;
  pictures: EmbeddedPictures;
  /** New names of link targets, by chapter and original name. */
  anchors: Map<string, string>;
}

/** Common ids of footnotes and of the links back from them. */
const NOTE_NAME = /^_?(?:fn|foot|note|ftn|edn|end|cite|ref|r?\d|en\d|f\d)/i;
const EXTERNAL = /^(?:https?|mailto|tel):/i;

export const parseEpub: FormatParser = async ({ bytes }) => {
  const archive = openZip(bytes);
  const { parts, titles, metadata, warnings } = readEpubPackage(archive);
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
    chapters.push(`<section>${addHeading(body, titles.get(path))}</section>`);
  }
  if (missing > 0) warnings.push(`Parts listed in the book but missing from the file: ${missing}.`);
  return { body: { html: chapters.join('\n') }, metadata, warnings };
};

const chapterRules = (book: Book, path: string, mediaType: string): FragmentRules => ({
  xml: mediaType !== 'text/html',
  link: (href, isMark) => linkTarget(book, path, href, isMark),
  picture: (src) => pictureSource(book, path, src),
  anchorName: (name) => anchor(book, book.numbers.get(path) ?? 0, name, 'ref'),
});

/** Makes names unique across chapters. A name that is referenced before it occurs belongs to a note (`fn`). */
function anchor({ anchors }: Book, chapter: number, name: string, prefix: 'fn' | 'ref'): string {
  const key = `${name}-${chapter}`;
  const known = anchors.get(key) ?? `${prefix}-${key}`;
  anchors.set(key, known);
  return known;
}

/** Drops links inside the book, except those to notes: the book becomes one text. */
function linkTarget(book: Book, from: string, href: string, isMark: boolean): string | undefined {
  if (EXTERNAL.test(href)) return href;
  const { path, fragment } = resolveBookPath(href, from) ?? { path: '', fragment: '' };
  const chapter = book.numbers.get(path);
  if (chapter === undefined || fragment === '') return undefined;
  return isMark || NOTE_NAME.test(fragment) ? `#${anchor(book, chapter, fragment, 'fn')}` : undefined;
}

function pictureSource({ archive, pictures }: Book, from: string, src: string): string | undefined {
  const path = resolveBookPath(src, from)?.path;
  return path === undefined ? undefined : pictures.dataUri(path, () => readPicture(archive, path));
}

/** A damaged picture is omitted. */
function readPicture(archive: ZipArchive, path: string): Uint8Array | undefined {
  try {
    return archive.read(path);
  } catch {
    return undefined;
  }
}
