// Reads the package document of an e-book: its parts, their reading order, and metadata.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { find, findAll, localName, textOf, type XmlElement } from '../../markup/xml/xml-tree.ts';
import type { ZipArchive } from '../container/zip.ts';
import { readXml } from '../read-xml.ts';
import { resolveBookPath } from './book-paths.ts';
import { readTocTitles } from './chapter-headings.ts';

export interface BookPart {
  /** Path in the archive. */
  path: string;
  mediaType: string;
  isContents: boolean;
}

export interface BookPackage {
  parts: BookPart[];
  /** Titles from the table of contents, by part path. */
  titles: ReadonlyMap<string, string>;
  metadata: Record<string, string>;
  warnings: string[];
}

const MAX_PARTS = 5000;
const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const CHAPTER_TYPE = /^(?:application\/xhtml\+xml|text\/html|application\/x-dtbook\+xml|text\/x-oeb1-document)$/;
/** These algorithms only obfuscate fonts; the text is readable. */
const FONT_OBFUSCATION = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'];

export function readEpubPackage(archive: ZipArchive): BookPackage {
  rejectEncrypted(archive);
  const path = packagePath(archive);
  const bytes = path === undefined ? undefined : archive.read(path);
  if (path === undefined || !bytes) throw new ServiceError('DOCUMENT_DAMAGED');
  const root = readXml(bytes);
  const { parts, warnings } = readingOrder(root, path);
  return { parts, titles: readTocTitles(archive, root, path), metadata: metadataOf(root), warnings };
}

function packagePath(archive: ZipArchive): string | undefined {
  const container = archive.read(CONTAINER);
  const root = container && find(readXml(container), 'rootfile')?.attributes['full-path'];
  // Some books lack the container file; the package document is required.
  return root !== undefined && archive.has(root) ? root : archive.names.find((name) => name.endsWith('.opf'));
}

function rejectEncrypted(archive: ZipArchive): void {
  const bytes = archive.read(ENCRYPTION);
  if (!bytes) return;
  const methods = findAll(readXml(bytes), 'EncryptedData').map(
    (data) => find(data, 'EncryptionMethod')?.attributes.Algorithm ?? '',
  );
  if (methods.some((method) => !FONT_OBFUSCATION.includes(method))) throw new ServiceError('DOCUMENT_ENCRYPTED');
}

function readingOrder(root: XmlElement, packageFile: string): { parts: BookPart[]; warnings: string[] } {
  const manifest = new Map<string, BookPart>();
  const contents = new Set(
    findAll(root, 'reference')
      .filter(({ attributes }) => attributes.type === 'toc')
      .map(({ attributes }) => resolveBookPath(attributes.href ?? '', packageFile)?.path),
  );
  for (const { attributes } of findAll(root, 'item')) {
    const path = resolveBookPath(attributes.href ?? '', packageFile)?.path;
    if (attributes.id === undefined || path === undefined) continue;
    const isContents = contents.has(path) || (attributes.properties ?? '').split(/\s+/).includes('nav');
    manifest.set(attributes.id, { path, mediaType: attributes['media-type'] ?? '', isContents });
  }
  const spine = find(root, 'spine');
  const listed = (spine ? findAll(spine, 'itemref') : [])
    .map(({ attributes }) => manifest.get(attributes.idref ?? ''))
    .filter((part) => part !== undefined);
  const chapters = [...new Set(listed.length > 0 ? listed : manifest.values())].filter(({ mediaType }) =>
    CHAPTER_TYPE.test(mediaType),
  );
  // The table of contents only repeats the headings, so it is left out unless there is nothing else.
  const text = chapters.filter(({ isContents }) => !isContents);
  const parts = text.length > 0 ? text : chapters;
  if (parts.length <= MAX_PARTS) return { parts, warnings: [] };
  return { parts: parts.slice(0, MAX_PARTS), warnings: [`Only the first ${MAX_PARTS} parts of the book were read.`] };
}

function metadataOf(root: XmlElement): Record<string, string> {
  const about = find(root, 'metadata') ?? root;
  const all = (name: string): string[] =>
    findAll(about, name)
      .map((element) => textOf(element).replace(/\s+/g, ' ').trim())
      .filter((text) => text !== '');
  const found: Record<string, string | undefined> = {
    title: all('title')[0],
    author: all('creator').join(', '),
    description: all('description')[0],
    language: all('language')[0],
    publisher: all('publisher')[0],
    keywords: all('subject').join(', '),
    publishedTime: publicationDate(about),
    modifiedTime: findAll(about, 'meta')
      .filter(({ attributes }) => attributes.property === 'dcterms:modified')
      .map(textOf)[0]
      ?.trim(),
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => !!entry[1]));
}

/** EPUB 2 has dates for several events: takes the publication date, else the first without an event. */
function publicationDate(about: XmlElement): string | undefined {
  const dates = findAll(about, 'date').filter(({ name }) => localName(name) === 'date');
  const event = ({ attributes }: XmlElement): string => attributes['opf:event'] ?? attributes.event ?? '';
  const date = dates.find((each) => event(each) === 'publication') ?? dates.find((each) => event(each) === '');
  const text = date && textOf(date).trim();
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
