// Finds the positions of parts from an engine that reports none, by matching the printed lines of the other engine.
import { type PagePart, partText, unionBox } from '../page-parts.ts';
import type { PrintedLine } from '../readers/printed-lines.ts';

// Pages beyond this have too much text to match in reasonable time.
const MAX_COMPARISONS = 20_000_000;
const MIN_LINE_LENGTH = 2;

export function locateParts(parts: readonly PagePart[], lines: readonly PrintedLine[]): PagePart[] {
  const texts = parts.map((part) => squeeze(partText(part)));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length * lines.length > MAX_COMPARISONS) return [...parts];
  const located = parts.map((part): PagePart => ({ ...part }));
  let from = 0;
  for (const line of lines) {
    const text = squeeze(line.text);
    if (text.length < MIN_LINE_LENGTH) continue;
    // Lines are mostly in reading order, so the search starts at the last match.
    let at = texts.findIndex((candidate, index) => index >= from && candidate.includes(text));
    if (at === -1) at = texts.findIndex((candidate) => candidate.includes(text));
    if (at === -1) continue;
    const part = located[at]!;
    part.box = unionBox(part.box, line.box);
    part.size = Math.max(part.size, line.size);
    if (part.kind === 'heading') part.bold ||= line.bold;
    from = at;
  }
  return located;
}

const squeeze = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
