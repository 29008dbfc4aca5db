// Detects what kind of content bytes are. The first kilobytes decide, because declared types are often missing or wrong;
// the declared type only settles what the bytes leave open.
import { binaryType } from './magic.ts';

export type TextKind = 'html' | 'json' | 'xml' | 'feed' | 'csv' | 'text' | 'markdown';
export type Kind = { kind: TextKind } | { kind: 'binary'; type: string };

const HEAD_BYTES = 4096;
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|title|meta|script|style|link|iframe|div|p|h[1-6]|table|a|br|font|ul|ol|img|span|form|section|article|main|header|nav)(?=[\s>/])/i;
const HTML_ROOT = /^<(?:!doctype\s+html|html)(?=[\s>])/i;
const JSON_START = /^(?:\{\s*(?:"|\}|$)|\[\s*(?:["{[\]\d-]|true|false|null))/;
const MARKUP = /<(?:html|head|body|div|p|br|a|script|span|table)[\s>/]/i;

export function kindOf(contentType: string, bytes: Uint8Array): Kind {
  const head = bytes.subarray(0, HEAD_BYTES);
  const declared = essence(contentType);
  const binary = binaryType(head, declared, /charset\s*=\s*["']?utf-?(?:16|32)/i.test(contentType));
  if (binary !== undefined) return { kind: 'binary', type: binary };
  return { kind: textKind(declared, asciiOf(head)) };
}

/** Many servers declare everything as plain text; then the file name is more specific. */
export function kindByName(kind: TextKind, url: string): TextKind {
  if (kind !== 'text') return kind;
  const name = URL.parse(url)?.pathname.toLowerCase() ?? '';
  if (/\.(?:md|markdown|mdown|mkd)$/.test(name)) return 'markdown';
  if (/\.(?:csv|tsv)$/.test(name)) return 'csv';
  if (/\.(?:json|jsonl|ndjson|geojson|webmanifest)$/.test(name)) return 'json';
  return kind;
}

function textKind(declared: string, head: string): TextKind {
  const text = head.trimStart();
  const sniffed = sniff(text);
  if (declared === 'text/plain') return 'text';
  if (declared === 'text/csv' || declared === 'text/tab-separated-values') return 'csv';
  if (declared === 'text/markdown' || declared === 'text/x-markdown') return 'markdown';
  if (declared === 'text/html')
    return sniffed === 'feed' || (sniffed === 'json' && !MARKUP.test(text)) ? sniffed : 'html';
  if (declared === 'application/xhtml+xml') return 'html';
  // HTML error pages at the address of a file or an API are common.
  if (/(?:^|[/+])(?:json|ndjson|x-ndjson)$/.test(declared)) return sniffed === 'html' ? 'html' : 'json';
  if (/(?:^|[/+])xml$/.test(declared)) {
    if (HTML_ROOT.test(afterProlog(text))) return 'html';
    return sniffed === 'feed' || /\/(?:rss|atom|rdf)\+/.test(declared) ? 'feed' : 'xml';
  }
  if (/^text\/(?!x-unknown)/.test(declared) || /javascript$/.test(declared)) return 'text';
  return sniffed ?? 'text';
}

function sniff(text: string): TextKind | undefined {
  if (!text.startsWith('<')) return JSON_START.test(text) ? 'json' : undefined;
  const start = afterProlog(text);
  // In a file with an XML declaration, names like `article` may belong to other vocabularies.
  if ((text.startsWith('<?xml') ? HTML_ROOT : HTML_START).test(start)) return 'html';
  const root = /^<([a-z_][\w.:-]*)/i.exec(start)?.[1]?.toLowerCase();
  if (root === undefined) return text.startsWith('<?xml') ? 'xml' : text.startsWith('<!--') ? 'html' : undefined;
  if (root === 'rss' || root === 'feed' || root === 'rdf:rdf') return 'feed';
  return !text.startsWith('<?xml') && MARKUP.test(text) ? 'html' : 'xml';
}

/** Skips comments, processing instructions and doctypes other than HTML's. A regular expression could backtrack forever. */
function afterProlog(text: string): string {
  let rest = text;
  for (;;) {
    const end = rest.startsWith('<!--')
      ? '-->'
      : rest.startsWith('<?')
        ? '?>'
        : /^<!doctype(?!\s+html)/i.test(rest)
          ? '>'
          : '';
    const at = end === '' ? -1 : rest.indexOf(end);
    if (at === -1) return rest;
    rest = rest.slice(at + end.length).trimStart();
  }
}

const essence = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

/** The text as ASCII, without byte order marks and the zero bytes of UTF-16: enough to recognise markup. */
const asciiOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '');
