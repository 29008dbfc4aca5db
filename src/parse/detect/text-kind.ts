// Detects the text-based kinds with a parser: mails, notebooks and TeX. Other text needs none.

import { skipSpace } from '../../markup/sniff-markup.ts';
import type { FileKind } from '../../page/parsed.ts';

const HEAD_BYTES = 16 * 1024;
const MAX_FIELDS = 200;
const OPEN_TAG = 0x3c;

const FIELD = /^([A-Za-z][A-Za-z0-9-]{0,60}):/;
// Every mail has one of these; plain notes that begin with "Subject:" and "Date:" do not.
const MAIL_ONLY_FIELDS = new Set(['from', 'received', 'message-id', 'mime-version', 'return-path', 'delivered-to']);
const KNOWN_FIELDS = new Set([
  ...MAIL_ONLY_FIELDS,
  'to',
  'cc',
  'subject',
  'date',
  'sender',
  'reply-to',
  'content-type',
  'content-transfer-encoding',
  'dkim-signature',
  'authentication-results',
  'list-id',
  'x-mailer',
  'user-agent',
]);

/** `claimed`: the kind according to name and declared type. */
export function textFileKind(bytes: Uint8Array, claimed: FileKind | undefined): FileKind | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Nearly every page ends here, without becoming a text.
  if (file[firstLetter(file)] === OPEN_TAG) return undefined;
  const head = file
    .toString('latin1', 0, HEAD_BYTES)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (head.startsWith('{')) {
    if (isNotebook(file)) return 'ipynb';
    return claimed === 'ipynb' ? 'ipynb' : undefined;
  }
  const fields = mailFields(head);
  const isMail = fields.some((name) => MAIL_ONLY_FIELDS.has(name)) && fields.length >= 2;
  if (isMail || (claimed === 'eml' && fields.length >= 1)) return 'eml';
  if (startsAsTex(head) || (claimed === 'tex' && head.includes('\\'))) return 'tex';
  return undefined;
}

/** Where the text begins, after a byte order mark and white space. */
const firstLetter = (file: Buffer): number =>
  skipSpace(file, file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf ? 3 : 0);

/** The keys may follow megabytes of cells. Whether they are top-level keys is left to the parser. */
const isNotebook = (file: Buffer): boolean =>
  hasKey(file, '"nbformat"', /^\s*:\s*\d/) && hasKey(file, '"cells"', /^\s*:\s*\[/);

function hasKey(file: Buffer, key: string, value: RegExp): boolean {
  // Either occurrence may be inside a cell, but not both.
  return [file.indexOf(key), file.lastIndexOf(key)].some(
    (at) => at >= 0 && value.test(file.toString('latin1', at + key.length, at + key.length + 40)),
  );
}

/** Names of the known header fields at the start; empty if a line of the header is not a field. */
function mailFields(head: string): string[] {
  const lines = head.split(/\r?\n/, MAX_FIELDS);
  // The separator line of the mbox format.
  if (lines[0]?.startsWith('From ')) lines.shift();
  const names = new Set<string>();
  for (const line of lines) {
    if (line === '') break;
    if (/^[ \t]/.test(line)) continue;
    const name = FIELD.exec(line)?.[1]?.toLowerCase();
    if (name === undefined) return [];
    if (KNOWN_FIELDS.has(name)) names.add(name);
  }
  return [...names];
}

/** \PassOptionsToPackage and the like may precede the document class. */
function startsAsTex(head: string): boolean {
  const first = head.split('\n', MAX_FIELDS).find((line) => line.trim() !== '' && !line.trimStart().startsWith('%'));
  return first?.trimStart().startsWith('\\') === true && /^\s{0,20}\\document(?:class|style)\b/m.test(head);
}
