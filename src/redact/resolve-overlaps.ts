// Makes findings disjoint. Where two overlap, the more reliable one wins and the other keeps what is left of it, so that no
// part of a finding is ever lost.
import type { RedactedEntity } from '../contracts/scrape/redaction.ts';
import type { Finding } from './finding.ts';

/** A checksum or a prefix proves more than words do. */
const RELIABILITY: readonly RedactedEntity[] = ['PERSON', 'LOCATION', 'PHONE', 'FINANCIAL', 'EMAIL', 'SECRET'];
const HAS_CONTENT = /[\p{L}\p{N}]/u;
const EDGE_BEFORE = /^[\s,;:.()[\]<>"'*_|/\\-]+/;
const EDGE = /[\s,;:.()[\]<>"'*_|/\\-]/;

/** Sorted by position. Findings outside the text are clipped, empty ones dropped. */
export function resolveOverlaps(text: string, findings: readonly Finding[]): Finding[] {
  const ranked = findings
    .map((finding) => ({ ...finding, start: Math.max(0, finding.start), end: Math.min(text.length, finding.end) }))
    .filter(({ start, end }) => start < end)
    .sort(byReliability);
  if (!overlap(ranked)) return ranked.sort((a, b) => a.start - b.start);
  // Painted from the least to the most reliable: each position belongs to the last one that covers it.
  const owners = new Int32Array(text.length);
  for (const [index, { start, end }] of ranked.entries()) owners.fill(index + 1, start, end);
  const resolved: Finding[] = [];
  for (let start = 0; start < owners.length; ) {
    let end = start + 1;
    while (end < owners.length && owners[end] === owners[start]) end++;
    const owner = ranked[owners[start]! - 1];
    if (owner) resolved.push(...keepPart(text, owner, start, end));
    start = end;
  }
  return resolved;
}

function byReliability(a: Finding, b: Finding): number {
  return (
    RELIABILITY.indexOf(a.entity) - RELIABILITY.indexOf(b.entity) ||
    a.score - b.score ||
    a.end - a.start - (b.end - b.start) ||
    b.start - a.start
  );
}

function overlap(findings: readonly Finding[]): boolean {
  const sorted = [...findings].sort((a, b) => a.start - b.start);
  return sorted.some(({ start }, index) => index > 0 && start < sorted[index - 1]!.end);
}

/** The rest of a finding between others, without punctuation at its edges, and only if it contains a word. */
function keepPart(text: string, owner: Finding, start: number, end: number): Finding[] {
  if (start === owner.start && end === owner.end) return [owner];
  const part = text.slice(start, end);
  if (!HAS_CONTENT.test(part)) return [];
  const from = start + (EDGE_BEFORE.exec(part)?.[0].length ?? 0);
  let to = end;
  while (EDGE.test(text[to - 1]!)) to--;
  return [{ ...owner, start: from, end: to }];
}
