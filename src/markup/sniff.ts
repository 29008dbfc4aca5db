// Decides what kind of content a body is. Its first bytes decide, because declared types are often missing or wrong; the
// declared type only settles what the bytes leave open.
import type { SniffedHead } from '../page/sniffed-head.ts';
import { isBinaryName, isContainer } from './magic.ts';

export type TextKind = 'html' | 'json' | 'xml' | 'feed' | 'csv' | 'text' | 'markdown';
export type Kind = { kind: TextKind } | { kind: 'binary'; type: string };

const WIDE_CHARSET = /charset\s*=\s*["']?utf-?(?:16|32)/i;

export function kindOf(contentType: string, head: SniffedHead): Kind {
  const declared = essence(contentType);
  const type = binaryType(head, declared, contentType);
  return type === undefined ? { kind: textKind(declared, head) } : { kind: 'binary', type };
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

/** Undefined for text. */
function binaryType(head: SniffedHead, declared: string, contentType: string): string | undefined {
  const { signed, isEmpty, hasZeros, isUtf16, isMarkup, isNoise } = head;
  if (isEmpty) return isBinaryName(declared) ? declared : undefined;
  if (signed !== undefined) {
    const isNamed = isContainer(signed) && isBinaryName(declared) && !declared.endsWith('octet-stream');
    return isNamed ? declared : signed;
  }
  if (!hasZeros || isUtf16 || WIDE_CHARSET.test(contentType)) return undefined;
  if ((declared.startsWith('text/') || isMarkup) && !isNoise) return undefined;
  return isBinaryName(declared) ? declared : 'application/octet-stream';
}

function textKind(declared: string, { text: sniffed, hasTags, isHtmlRoot }: SniffedHead): TextKind {
  if (declared === 'text/plain') return 'text';
  if (declared === 'text/csv' || declared === 'text/tab-separated-values') return 'csv';
  if (declared === 'text/markdown' || declared === 'text/x-markdown') return 'markdown';
  if (declared === 'text/html') return sniffed === 'feed' || (sniffed === 'json' && !hasTags) ? sniffed : 'html';
  if (declared === 'application/xhtml+xml') return 'html';
  // HTML error pages at the address of a file or an API are common.
  if (/(?:^|[/+])(?:json|ndjson|x-ndjson)$/.test(declared)) return sniffed === 'html' ? 'html' : 'json';
  if (/(?:^|[/+])xml$/.test(declared)) {
    if (isHtmlRoot) return 'html';
    return sniffed === 'feed' || /\/(?:rss|atom|rdf)\+/.test(declared) ? 'feed' : 'xml';
  }
  if (/^text\/(?!x-unknown)/.test(declared) || /javascript$/.test(declared)) return 'text';
  return sniffed ?? 'text';
}

const essence = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
