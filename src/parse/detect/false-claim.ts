// Files that claim to be binary and are text: an error page under the name of a picture, say. Read as text, they would pass
// for what was asked for. Other wrong claims do no harm, because the bytes say what the file is.

import { kindOf } from '../../markup/sniff.ts';
import type { FileKind } from '../../page/parsed.ts';
import type { SniffedHead } from '../../page/sniffed-head.ts';
import { claimedKind } from './declared-kind.ts';

// Not in the list: formats that are text, and old office types, under which many sites send HTML or CSV on purpose.
const BINARY_KINDS: ReadonlySet<FileKind | undefined> = new Set([
  'pdf',
  'docx',
  'odt',
  'xlsx',
  'xlsb',
  'ods',
  'pptx',
  'odp',
  'epub',
  'msg',
  'image',
]);
const BINARY_TYPE =
  /^(?:image\/(?!svg|x-x(?:bit|pix)map|vnd\.dxf)|application\/(?:zip|x-zip-compressed|x-7z-compressed|vnd\.rar|x-rar-compressed)\b)/;
const BINARY_NAME = /\.(?:zip|7z|rar|heic|heif|ico|jxl|psd)$/i;

/** What the file is instead of what its declared type says; undefined if that may be true. */
export function betrayedType(head: SniffedHead, contentType: string): string | undefined {
  const type = contentType.trim().toLowerCase();
  return BINARY_TYPE.test(type) || BINARY_KINDS.has(claimedKind('', type)) ? textIn(head) : undefined;
}

/** The same for the name of an uploaded file. A name without a known extension says nothing. */
export function betrayedName(head: SniffedHead, name: string): string | undefined {
  return BINARY_NAME.test(name) || BINARY_KINDS.has(claimedKind(name, '')) ? textIn(head) : undefined;
}

function textIn(head: SniffedHead): string | undefined {
  const { kind } = kindOf('', head);
  if (kind === 'binary') return undefined;
  return kind === 'html' ? 'an HTML page' : 'text';
}
