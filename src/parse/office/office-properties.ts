// What an office file says of itself: docProps/core.xml in Microsoft's formats, meta.xml in OpenDocument.

import { localName, textOf, type XmlElement } from '../../markup/xml/xml-tree.ts';
import type { ZipArchive } from '../container/zip.ts';
import { lesserPart } from './office-package.ts';

export type Metadata = Record<string, string | string[]>;

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

export function propertiesOf(archive: ZipArchive): Metadata {
  const root = lesserPart(archive, 'docProps/core.xml') ?? lesserPart(archive, 'meta.xml');
  if (!root) return {};
  const holder = elements(root).find(({ name }) => localName(name) === 'meta') ?? root;
  const found = new Map<string, string[]>();
  for (const element of elements(holder)) {
    const local = localName(element.name);
    const name = NAMES.get(local);
    const value = textOf(element).replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH);
    if (name === undefined || value === '') continue;
    const others = found.get(name) ?? [];
    // Who wrote an OpenDocument file comes before whoever saved it last.
    found.set(name, local === 'initial-creator' ? [value, ...others] : [...others, value]);
  }
  return metadataFrom(found);
}

/** Of several values the first counts, but all keywords do. */
export function metadataFrom(found: ReadonlyMap<string, readonly string[]>): Metadata {
  const metadata: Metadata = {};
  for (const [name, values] of found) {
    const value = name.endsWith('Time') ? isoTime(values[0]!) : name === 'keywords' ? values.join(', ') : values[0]!;
    if (value !== undefined) metadata[name] = value;
  }
  // Word calls the summary of a file its subject or its comments.
  if (metadata.subject !== undefined) metadata.description ??= metadata.subject;
  delete metadata.subject;
  return metadata;
}

/** OpenDocument writes times without a zone; they are taken for UTC, so that the answer does not depend on this machine. */
function isoTime(text: string): string | undefined {
  const time = Date.parse(/T[\d:.,]+$/.test(text) ? `${text.replace(',', '.').replace(/(\.\d{3})\d+$/, '$1')}Z` : text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

const elements = (parent: XmlElement): XmlElement[] => parent.children.filter((child) => typeof child !== 'string');
