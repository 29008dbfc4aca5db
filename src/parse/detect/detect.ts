// What a file is. Its bytes decide, because names and declared types are often missing or wrong; those only settle what the
// bytes leave open.
import type { DocumentKind } from '../../contracts/parsed.ts';
import { kindOf } from '../../markup/sniff.ts';
import { archiveKind, oleKind } from './container-kind.ts';
import { claimedKind } from './declared-kind.ts';
import { textDocumentKind } from './text-kind.ts';

export interface Sighting {
  bytes: Uint8Array;
  /** As declared; may be empty or wrong. */
  contentType: string;
  /** Of the file, or the last part of its address. */
  name: string;
}

export interface FirstSight {
  /** other: a file that nothing here reads. */
  sort: 'document' | 'text' | 'other';
  /** For people: `image/png`, `application/zip`. */
  type: string;
  isPicture: boolean;
}

const PICTURES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/tiff',
  'image/bmp',
  'image/avif',
  'image/jp2',
]);
const UNKNOWN = 'application/octet-stream';
/** Kinds that are text: bytes that are none cannot be one, whatever they are called. */
const TEXTS: ReadonlySet<DocumentKind | undefined> = new Set(['rtf', 'ipynb', 'tex']);

/** The document that these bytes are, or undefined for text that the transform reads itself and for files that nobody reads. */
export function documentKind({ bytes, contentType, name }: Sighting): DocumentKind | undefined {
  const claimed = claimedKind(name, contentType);
  if (bytes.length === 0) return claimed;
  const type = contentOf(bytes, contentType);
  if (type === 'application/pdf') return 'pdf';
  if (type === 'application/rtf') return 'rtf';
  if (type === 'application/zip') return archiveKind(bytes, claimed);
  if (type === 'application/x-ole-storage') return oleKind(bytes, claimed);
  if (type === undefined) return textDocumentKind(bytes, claimed);
  if (PICTURES.has(type)) return 'image';
  // So damaged that its bytes say nothing: its parser can tell that better than "this type is not read".
  return type === UNKNOWN && !TEXTS.has(claimed) ? claimed : undefined;
}

/** By the first bytes: an archive counts as a document until all of it is there. */
export function firstSight(sighting: Sighting): FirstSight {
  const { bytes, contentType } = sighting;
  const found = contentOf(bytes, contentType);
  const shown = kindOf(contentType, bytes);
  const type = shown.kind === 'binary' ? shown.type : essence(contentType) || 'text/plain';
  if (found === 'application/zip' || found === 'application/x-ole-storage') {
    return { sort: 'document', type, isPicture: false };
  }
  const kind = documentKind(sighting);
  const sort = kind !== undefined ? 'document' : found === undefined ? 'text' : 'other';
  return { sort, type, isPicture: kind === 'image' };
}

/** The type that the bytes themselves have; undefined for text. */
function contentOf(bytes: Uint8Array, contentType: string): string | undefined {
  // Of the declared type only this is heeded: that it is text, and in which encoding.
  const declared = /^\s*text\//i.test(contentType) ? 'text/plain' : '';
  const charset = /;.*$/s.exec(contentType)?.[0] ?? '';
  const found = kindOf(declared + charset, bytes);
  return found.kind === 'binary' ? found.type : undefined;
}

const essence = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
