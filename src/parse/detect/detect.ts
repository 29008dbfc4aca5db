// Detects the kind of a file. The bytes decide, because names and declared types are often missing or wrong; those are
// used only where the bytes are ambiguous.

import { kindOf } from '../../markup/sniff.ts';
import { sniffHead } from '../../markup/sniff-head.ts';
import type { FileKind } from '../../page/parsed.ts';
import type { SniffedHead } from '../../page/sniffed-head.ts';
import { PICTURE_FORMATS } from '../file-formats.ts';
import { oleKind, zipKind } from './container-kind.ts';
import { claimedKind } from './declared-kind.ts';
import { textFileKind } from './text-kind.ts';

export interface FileSample {
  bytes: Uint8Array;
  /** What its first bytes say, if somebody has looked at them before. */
  head?: SniffedHead;
  /** The declared type; may be empty or wrong. */
  contentType: string;
  /** The file name, or the last segment of the URL. */
  name: string;
}

export interface FileClass {
  category: 'parsable' | 'text' | 'unsupported';
  /** For display: `image/png`, `application/zip`. */
  type: string;
  isPicture: boolean;
}

const PICTURES = new Set<string>(Object.values(PICTURE_FORMATS).map(({ types }) => types[0]));
const UNKNOWN = 'application/octet-stream';
/** Text-based kinds: binary content cannot be one of them, whatever its name. */
const TEXT_KINDS: ReadonlySet<FileKind | undefined> = new Set(['rtf', 'ipynb', 'tex']);

/** Undefined for text, which the transform reads itself, and for unsupported files. */
export function fileKind({ bytes, head = sniffHead(bytes), contentType, name }: FileSample): FileKind | undefined {
  const claimed = claimedKind(name, contentType);
  if (bytes.length === 0) return claimed;
  const type = contentOf(head, contentType);
  if (type === 'application/pdf') return 'pdf';
  if (type === 'application/rtf') return 'rtf';
  if (type === 'application/zip') return zipKind(bytes, claimed);
  if (type === 'application/x-ole-storage') return oleKind(bytes, claimed);
  if (type === undefined) return textFileKind(bytes, claimed);
  if (PICTURES.has(type)) return 'image';
  // Too damaged to recognise: the parser's error is more helpful than "unsupported type".
  return type === UNKNOWN && !TEXT_KINDS.has(claimed) ? claimed : undefined;
}

/** Works on the first bytes of a file. A zip or OLE container counts as parsable until all of it is there. */
export function classifyFile(sample: FileSample): FileClass {
  const { bytes, head = sniffHead(bytes), contentType } = sample;
  const found = contentOf(head, contentType);
  const shown = kindOf(contentType, head);
  const type = shown.kind === 'binary' ? shown.type : essence(contentType) || 'text/plain';
  if (found === 'application/zip' || found === 'application/x-ole-storage') {
    return { category: 'parsable', type, isPicture: false };
  }
  const kind = fileKind({ ...sample, head });
  const category = kind !== undefined ? 'parsable' : found === undefined ? 'text' : 'unsupported';
  return { category, type, isPicture: kind === 'image' };
}

/** The type according to the bytes; undefined for text. */
function contentOf(head: SniffedHead, contentType: string): string | undefined {
  // The declared type only tells whether the file is text, and its encoding.
  const declared = /^\s*text\//i.test(contentType) ? 'text/plain' : '';
  const charset = /;.*$/s.exec(contentType)?.[0] ?? '';
  const found = kindOf(declared + charset, head);
  return found.kind === 'binary' ? found.type : undefined;
}

const essence = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
