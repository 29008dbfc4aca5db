// Reads the properties of an office file: docProps/core.xml in OOXML, meta.xml in OpenDocument.
import { localName, textOf, type XmlElement } from '../../markup/xml/xml-tree.ts';
import type { ZipArchive } from '../container/zip.ts';
import { readOptionalPart } from './office-package.ts';

export type FileMetadata = Record<string, string | string[]>;

const NAMES: ReadonlyMap<string, string> = new Map([
  ['title', 'title'],
  ['creator', 'author'],
  ['initial-creator', 'author'],
  ['subject', 'subject'],
  ['description', 'description'],
  ['keywords', 'keywords'],
  ['keyword', 'keywords'],
  ['language', 'language'],
  ['created', 'publishedTime'],
  ['creation-date', 'publishedTime'],
  ['modified', 'modifiedTime'],
  ['date', 'modifiedTime'],
]);
const MAX_LENGTH = 2000;

export function readOfficeProperties(archive: ZipArchive): FileMetadata {
  const root = readOptionalPart(archive, 'docProps/core.xml') ?? readOptionalPart(archive, 'meta.xml');
  if (!root) return {};
  const holder = elements(root).find(({ name }) => localName(name) === 'meta') ?? root;
  const found = new Map<string, string[]>();
  for (const element of elements(holder)) {
    const local = localName(element.name);
    const name = NAMES.get(local);
    const value = textOf(element).replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH);
    if (name === undefined || value === '') continue;
    const others = found.get(name) ?? [];
    // In OpenDocument, `creator` is the last editor; the original author takes precedence.
    found.set(name, local === 'initial-creator' ? [value, ...others] : [...others, value]);
  }
  return toMetadata(found);
}

/** Takes the first value of each property, but all keywords. */
export function toMetadata(found: ReadonlyMap<string, readonly string[]>): FileMetadata {
  const metadata: FileMetadata = {};
  for (const [name, values] of found) {
    const value = name.endsWith('Time') ? isoTime(values[0]!) : name === 'keywords' ? values.join(', ') : values[0]!;
    if (value !== undefined) metadata[name] = value;
  }
  // Word stores a summary as subject or as comments.
  if (metadata.subject !== undefined) metadata.description ??= metadata.subject;
  delete metadata.subject;
  return metadata;
}

/** OpenDocument times have no zone. They are read as UTC, so that the result does not depend on this machine. */
function isoTime(text: string): string | undefined {
  const time = Date.parse(/T[\d:.,]+$/.test(text) ? `${text.replace(',', '.').replace(/(\.\d{3})\d+$/, '$1')}Z` : text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

const elements = (parent: XmlElement): XmlElement[] => parent.children.filter((child) => typeof child !== 'string');
