// Documents that are text: mails, notebooks and TeX. Everything else that is text needs no parser.
import type { DocumentKind } from '../../contracts/parsed.ts';

const HEAD_BYTES = 16 * 1024;
const MAX_FIELDS = 200;

const FIELD = /^([A-Za-z][A-Za-z0-9-]{0,60}):/;
// A mail has one of these; notes that begin with "Subject:" and "Date:" have not.
const TELLING = new Set(['from', 'received', 'message-id', 'mime-version', 'return-path', 'delivered-to']);
const USUAL = new Set([
  ...TELLING,
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

/** `claimed` is what name and declared type say. */
export function textDocumentKind(bytes: Uint8Array, claimed: DocumentKind | undefined): DocumentKind | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = file
    .toString('latin1', 0, HEAD_BYTES)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (head.startsWith('<')) return undefined;
  if (head.startsWith('{')) {
    if (isNotebook(file)) return 'ipynb';
    return claimed === 'ipynb' ? 'ipynb' : undefined;
  }
  const fields = mailFields(head);
  const isMail = fields.some((name) => TELLING.has(name)) && fields.length >= 2;
  if (isMail || (claimed === 'eml' && fields.length >= 1)) return 'eml';
  if (startsAsTex(head) || (claimed === 'tex' && head.includes('\\'))) return 'tex';
  return undefined;
}

/** Both keys may be far behind the cells, with their pictures; whether they are at the top is for the parser. */
const isNotebook = (file: Buffer): boolean =>
  hasKey(file, '"nbformat"', /^\s*:\s*\d/) && hasKey(file, '"cells"', /^\s*:\s*\[/);

function hasKey(file: Buffer, key: string, value: RegExp): boolean {
  // The last stands outside of the cells, the first may be in one.
  return [file.indexOf(key), file.lastIndexOf(key)].some(
    (at) => at >= 0 && value.test(file.toString('latin1', at + key.length, at + key.length + 40)),
  );
}

/** The known fields of a header at the start, each once; none if anything else stands in it. */
function mailFields(head: string): string[] {
  const lines = head.split(/\r?\n/, MAX_FIELDS);
  // The line that separates mails in a mailbox.
  if (lines[0]?.startsWith('From ')) lines.shift();
  const names = new Set<string>();
  for (const line of lines) {
    if (line === '') break;
    if (/^[ \t]/.test(line)) continue;
    const name = FIELD.exec(line)?.[1]?.toLowerCase();
    if (name === undefined) return [];
    if (USUAL.has(name)) names.add(name);
  }
  return [...names];
}

/** Packages may be told their options before the class is. */
function startsAsTex(head: string): boolean {
  const first = head.split('\n', MAX_FIELDS).find((line) => line.trim() !== '' && !line.trimStart().startsWith('%'));
  return first?.trimStart().startsWith('\\') === true && /^\s{0,20}\\document(?:class|style)\b/m.test(head);
}
