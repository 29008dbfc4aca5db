// Decodes bytes to text: by the declared encoding (WHATWG rules), or by a guess if none is declared.
import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';

export interface DecodedText {
  text: string;
  /** The WHATWG name of the encoding, in lower case. */
  encoding: string;
}

const PRESCAN_BYTES = 1024;
// Browsers restart when they find a declaration this late; we only look for one if nothing better is known.
const LATE_SCAN_BYTES = 64 * 1024;
const SAMPLE_BYTES = 16 * 1024;
const MIN_CONFIDENCE = 0.1;
const FALLBACK = 'windows-1252';
const LATIN_ENCODINGS = ['windows-1252', 'windows-1250', 'windows-1254', 'windows-1257', 'iso-8859-2'];
/** Encodings for which the detector uses other names than the web. */
const LABELS: Readonly<Record<string, string>> = { CP932: 'shift_jis', CP949: 'euc-kr', CP874: 'windows-874' };

/** With `html`, <meta> declarations count in addition to the BOM, header and XML declaration. Never throws. */
export function decodeText(bytes: Uint8Array, contentType: string, { html }: { html: boolean }): DecodedText {
  const declared =
    byteOrderMark(bytes) ?? knownEncoding(charsetOf(contentType)) ?? declaredInside(bytes, PRESCAN_BYTES, html);
  const encoding = declared ?? guess(bytes, html);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

function byteOrderMark([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return undefined;
}

function charsetOf(contentType: string): string | undefined {
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/** The decoder's name for a label; undefined for unknown labels. */
function knownEncoding(label: string | undefined): string | undefined {
  if (!label) return undefined;
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

/** The declaration inside the text. It was readable as ASCII, so a claim of UTF-16 is wrong. */
function declaredInside(bytes: Uint8Array, limit: number, html: boolean): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, limit)).toString('latin1');
  const label = xmlDeclaration(start) ?? (html ? metaDeclaration(start) : undefined);
  if (label?.startsWith('utf-16')) return 'utf-8';
  return label === 'x-user-defined' ? FALLBACK : label;
}

function xmlDeclaration(text: string): string | undefined {
  const match = /^<\?xml[^>]*?\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(text);
  return knownEncoding(match?.[1] ?? match?.[2]);
}

const META_TAG = /<meta[\s/]((?:[^>"']|"[^"]*"|'[^']*')*)/gi;
// Bounds the time of the pattern below, which a hostile page could stretch to seconds.
const MAX_TAG = 1024;
const ATTRIBUTE = /([^\s/>="']+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/g;

function metaDeclaration(text: string): string | undefined {
  const markup = text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '');
  for (const [, inner = ''] of markup.matchAll(META_TAG)) {
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single, bare] of inner.slice(0, MAX_TAG).matchAll(ATTRIBUTE)) {
      const key = name.toLowerCase();
      if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '');
    }
    const isContentType = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
    const label = attributes.get('charset') ?? (isContentType ? charsetOf(`;${attributes.get('content')}`) : undefined);
    const encoding = knownEncoding(label);
    if (encoding) return encoding;
  }
  return undefined;
}

function guess(bytes: Uint8Array, html: boolean): string {
  if (isUtf8(withoutCutCharacter(bytes))) return 'utf-8';
  return declaredInside(bytes, LATE_SCAN_BYTES, html) ?? detect(textSample(bytes)) ?? FALLBACK;
}

/** Drops an incomplete character at the end: a truncated page is still UTF-8. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && (bytes[end - 1]! & 0xc0) === 0x80) end -= 1;
  return end > 0 && bytes[end - 1]! >= 0xc0 && !isUtf8(bytes.subarray(end - 1)) ? bytes.subarray(0, end - 1) : bytes;
}

function detect(sample: Uint8Array): string | undefined {
  // Loaded on demand: its models take megabytes, and most pages never need them.
  const { chardet } = createRequire(import.meta.url)('jschardet') as typeof import('jschardet');
  const { encoding, confidence } = chardet.detect(
    sample,
    isLatinScript(sample)
      ? { encodingEra: chardet.EncodingEra.ALL, includeEncodings: LATIN_ENCODINGS }
      : { encodingEra: chardet.EncodingEra.MODERN_WEB },
  );
  if (confidence < MIN_CONFIDENCE) return undefined;
  return knownEncoding(LABELS[encoding ?? ''] ?? encoding ?? undefined);
}

/** Non-ASCII letters are isolated in Latin script and adjacent in all others, which tells French from Russian. */
function isLatinScript(sample: Uint8Array): boolean {
  let high = 0;
  let alone = 0;
  for (let at = 0; at < sample.length; at += 1) {
    if (sample[at]! < 0x80) continue;
    high += 1;
    if ((sample[at - 1] ?? 0) < 0x80 && (sample[at + 1] ?? 0) < 0x80) alone += 1;
  }
  return alone * 2 > high;
}

/** Text between tags, since markup is ASCII in any encoding. No web encoding uses < or > inside a character. */
function textSample(bytes: Uint8Array): Uint8Array {
  const sample = Buffer.allocUnsafe(Math.min(bytes.length, SAMPLE_BYTES));
  let length = 0;
  let inTag = false;
  for (let at = 0; at < bytes.length && length < sample.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === 0x3c) inTag = true;
    else if (byte === 0x3e) inTag = false;
    else if (!inTag) sample[length++] = byte;
  }
  return sample.subarray(0, length);
}
