// What the first bytes of a body say about it, whatever type its server declares. They are scanned once, as bytes, and what
// was found travels with them.
import type { SniffedHead } from '../page/sniffed-head.ts';
import { signedType } from './magic.ts';
import { hasMarkup, isMarkupStart, isSpace, skipSpace, sniffMarkup } from './sniff-markup.ts';

/** How much of a body is looked at. */
export const SNIFFED_BYTES = 4096;
const LATE_PDF_BYTES = 1024;
// Control characters that text does not use: a tenth of random data, rare in sloppy pages.
const MAX_STRAY = 0.02;
const MIN_STRAY = 4;
const [PERCENT, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET] = [0x25, 0x7b, 0x7d, 0x5b];
const QUOTE = 0x22;

export function sniffHead(bytes: Uint8Array): SniffedHead {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SNIFFED_BYTES));
  const hasZeros = head.includes(0);
  const isUtf16 = startsWith(head, 0xff, 0xfe) || startsWith(head, 0xfe, 0xff);
  const isUtf8 = startsWith(head, 0xef, 0xbb, 0xbf);
  const isMarkup = isMarkupStart(head, skipSpace(head, isUtf8 ? 3 : 0));
  const signed = signedType(head, hasZeros) ?? (!isMarkup && hasLatePdf(head) ? 'application/pdf' : undefined);
  const facts = { isEmpty: head.length === 0, hasZeros, isUtf16, isMarkup, ...(signed !== undefined && { signed }) };
  const isNoise = hasZeros && countControls(head) > Math.max(MIN_STRAY, head.length * MAX_STRAY);
  const unmarked = head.subarray(isUtf16 ? 2 : isUtf8 ? 3 : 0);
  // Without the zero bytes of UTF-16, markup is ASCII.
  return { ...facts, isNoise, ...sniffText(hasZeros ? Buffer.from(unmarked.filter((byte) => byte !== 0)) : unmarked) };
}

const startsWith = (head: Buffer, ...start: number[]): boolean => start.every((byte, at) => head[at] === byte);

function sniffText(text: Buffer): Pick<SniffedHead, 'text' | 'isHtmlRoot' | 'hasTags'> {
  const start = skipSpace(text, 0);
  if (isJsonStart(text, start)) return { text: 'json', isHtmlRoot: false, hasTags: hasMarkup(text, start) };
  return { ...sniffMarkup(text, start), hasTags: false };
}

function isJsonStart(text: Buffer, start: number): boolean {
  if (text[start] === OPEN_BRACE) {
    const next = text[skipSpace(text, start + 1)];
    return next === undefined || next === QUOTE || next === CLOSE_BRACE;
  }
  if (text[start] !== OPEN_BRACKET) return false;
  const at = skipSpace(text, start + 1);
  return /^(?:["{[\]\d-]|true|false|null)/.test(text.toString('latin1', at, Math.min(at + 5, text.length)));
}

/** PDF readers skip junk before the signature. In text that mentions a PDF, the signature is inside a line. */
function hasLatePdf(head: Buffer): boolean {
  const end = Math.min(head.length, LATE_PDF_BYTES);
  for (let at = head.indexOf(PERCENT, 1); at > 0 && at + 7 < end; at = head.indexOf(PERCENT, at + 1)) {
    const before = head[at - 1]!;
    const isInLine = before >= 0x20 && before <= 0x7e;
    if (!isInLine && /^%PDF-\d\.\d$/.test(head.toString('latin1', at, at + 8))) return true;
  }
  return false;
}

function countControls(head: Buffer): number {
  let count = 0;
  for (const byte of head) if (byte < 0x20 && byte !== 0x1b && !isSpace(byte)) count += 1;
  return count;
}
