// Reads the Info dictionary of a PDF directly from its bytes. Opening the file once more with a library would cost as
// much as reading a page.
import { inflateSync } from 'node:zlib';

export type PdfInfo = Partial<Record<InfoKey, string>>;
type InfoKey =
  | 'Title'
  | 'Author'
  | 'Subject'
  | 'Keywords'
  | 'CreationDate'
  | 'ModDate'
  | 'Creator'
  | 'Producer'
  | 'Lang';

const KEYS: readonly InfoKey[] = [
  'Title',
  'Author',
  'Subject',
  'Keywords',
  'CreationDate',
  'ModDate',
  'Creator',
  'Producer',
  'Lang',
];
const TRAILER_BYTES = 65_536;
const INFO = /\/Info\s{1,9}(\d{1,9})\s{1,9}(\d{1,5})\s{1,9}R/g;
const ROOT = /\/Root\s{1,9}(\d{1,9})\s{1,9}(\d{1,5})\s{1,9}R/g;
const MAX_DICTIONARY_BYTES = 65_536;
const MAX_VALUE = 4_000;
// A hostile file can repeat the same token a million times.
const MAX_TRIES = 100;
// How many object streams are searched, and how much of each.
const MAX_STREAMS = 64;
const MAX_STREAM_BYTES = 2 * 1024 * 1024;

/** Empty if nothing is found, and for encrypted files, whose strings are encrypted as well. */
export function readPdfInfo(bytes: Uint8Array): PdfInfo {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The trailer is at the end, or at the start of a linearized file.
  const ends =
    file.toString('latin1', 0, TRAILER_BYTES) +
    file.toString('latin1', Math.max(TRAILER_BYTES, file.length - TRAILER_BYTES));
  if (ends.includes('/Encrypt')) return {};
  const info = dictionaryOf(file, ends, 'Info');
  const catalog = dictionaryOf(file, ends, 'Root');
  const lang = catalog && stringOf(catalog, 'Lang');
  const entries = KEYS.flatMap((key) => {
    const value = key === 'Lang' ? lang : info && stringOf(info, key);
    return value === undefined || value === '' ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

function dictionaryOf(file: Buffer, ends: string, name: 'Info' | 'Root'): string | undefined {
  // The last one counts: incremental updates append newer versions.
  const reference = [...ends.matchAll(name === 'Info' ? INFO : ROOT)].at(-1);
  return reference && objectOf(file, reference[1]!, reference[2]!);
}

function objectOf(file: Buffer, number: string, generation: string): string | undefined {
  const marker = `${number} ${generation} obj`;
  let found = -1;
  let at = file.indexOf(marker);
  for (let tries = 0; at !== -1 && tries < MAX_TRIES; tries++, at = file.indexOf(marker, at + 1)) {
    const before = file[at - 1] ?? 0;
    const isLongerNumber = before >= 0x30 && before <= 0x39;
    if (!isLongerNumber) found = at + marker.length;
  }
  if (found === -1) return packedObject(file, Number(number));
  return file.toString('latin1', found, found + MAX_DICTIONARY_BYTES).split('endobj', 1)[0];
}

function packedObject(file: Buffer, number: number): string | undefined {
  let at = file.lastIndexOf('/ObjStm');
  for (let count = 0; at > 0 && count < MAX_STREAMS; count++, at = file.lastIndexOf('/ObjStm', at - 1)) {
    const start = file.lastIndexOf('obj', at);
    const stream = file.indexOf('stream', at);
    if (start === -1 || stream === -1 || stream - start > 2_000) continue;
    const first = Number(/\/First\s+(\d+)/.exec(file.toString('latin1', start, stream))?.[1]);
    const text = inflated(file, stream + 'stream'.length);
    if (text === undefined || !Number.isInteger(first)) continue;
    const index = text.slice(0, first).trim().split(/\s+/).map(Number);
    const found = index.findIndex((value, at) => at % 2 === 0 && value === number);
    if (found === -1) continue;
    const from = first + index[found + 1]!;
    const to = index[found + 3] === undefined ? text.length : first + index[found + 3]!;
    return text.slice(from, Math.min(to, from + MAX_DICTIONARY_BYTES));
  }
  return undefined;
}

function inflated(file: Buffer, from: number): string | undefined {
  const start = from + (file[from] === 0x0d ? 2 : 1);
  const end = file.indexOf('endstream', start);
  try {
    return inflateSync(file.subarray(start, end === -1 ? undefined : end), {
      maxOutputLength: MAX_STREAM_BYTES,
    }).toString('latin1');
  } catch {
    return undefined;
  }
}

function stringOf(dictionary: string, key: InfoKey): string | undefined {
  const at = new RegExp(`/${key}\\s*(?=[(<])`).exec(dictionary);
  if (!at) return undefined;
  const from = at.index + at[0].length;
  const raw = dictionary[from] === '(' ? literal(dictionary, from + 1) : hexadecimal(dictionary, from + 1);
  return decode(Buffer.from(raw, 'latin1')).replaceAll('\u0000', '').trim().slice(0, MAX_VALUE);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function literal(text: string, from: number): string {
  let value = '';
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\\') {
      const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
      const next = text[at + 1] ?? '';
      if (octal) value += String.fromCharCode(Number.parseInt(octal, 8) & 255);
      else if (next !== '\n' && next !== '\r') value += ESCAPES[next] ?? next;
      at += octal?.length ?? 1;
      continue;
    }
    if (character === '(') depth++;
    if (character === ')' && --depth === 0) break;
    value += character;
  }
  return value;
}

function hexadecimal(text: string, from: number): string {
  const end = text.indexOf('>', from);
  const digits = text.slice(from, end === -1 ? from : end).replaceAll(/[^0-9a-f]/gi, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex').toString('latin1');
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes.subarray(2));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes.subarray(2));
  if (bytes[0] === 0xef && bytes[1] === 0xbb) return new TextDecoder().decode(bytes.subarray(3));
  return new TextDecoder('windows-1252').decode(bytes);
}
