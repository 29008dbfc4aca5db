// Chooses between two engines' readings of a page: the one with fewer visible faults wins, and a table counts only if
// the other reading confirms it or it looks plausible.

import { countLetters, lettersIn, type PagePart, type PageReading, partText, unionBox } from '../page-parts.ts';
import type { LiteparseReading } from '../readers/liteparse-parts.ts';
import type { PrintedLine } from '../readers/printed-lines.ts';
import { continuesSentence, joinHyphenated, lowerCaseWords, stripEmphasis } from '../repair-text.ts';
import { correctHeadings } from './pdf-headings.ts';
import { countTableFaults, isPlausibleTable, isProseTable, tableAsText } from './pdf-tables.ts';

const MAX_HEADING = 150;
const MIN_COVERAGE = 0.93;
// More ruling lines than this belong to a chart.
const MAX_TABLE_RULES = 6;
const MIN_OVERLAP = 0.6;
// Every table is compared with every table of the other reading.
const MAX_TABLES = 40;

/** Whether a second reading might be better. */
export function isDoubtful({ parts }: PageReading): boolean {
  const tables = parts.filter(({ kind }) => kind === 'table');
  if (tables.length > MAX_TABLES) return false;
  return (
    countFaults(parts) > 0 ||
    parts.some(isBrokenTitle) ||
    (tables.length > 0 ? !tables.every(isPlausibleTable) : hasBareRules(parts))
  );
}

/** Books set tables with three or more horizontal rules of the same width. */
function hasBareRules(parts: readonly PagePart[]): boolean {
  const widths = new Map<string, number>();
  for (const { kind, box } of parts) {
    if (kind !== 'rule' || !box) continue;
    const width = `${Math.round(box.x)} ${Math.round(box.width)}`;
    widths.set(width, (widths.get(width) ?? 0) + 1);
  }
  return [...widths.values()].some((count) => count >= 3 && count <= MAX_TABLE_RULES);
}

// Real short words in titles, in the most common languages.
const COMMON_SHORT_WORDS = new Set(
  'A AN AND AT BY DE DER DES DIE DU EL EN ET FOR I II III IN IV LA LE OF ON OR THE TO UND V VI Y'.split(' '),
);

/** `BURN ING BR IDGES`: letter-spaced capitals split into words. */
function isBrokenTitle({ kind, text }: PagePart): boolean {
  if (kind !== 'heading' || text !== text.toUpperCase()) return false;
  const short = text.split(/\s+/).filter((word) => /^\p{Lu}{1,3}$/u.test(word) && !COMMON_SHORT_WORDS.has(word));
  return short.length > 1;
}

/** Counts faults that are visible without knowing the page. */
export function countFaults(parts: readonly PagePart[]): number {
  let [faults, headingLetters] = [0, 0];
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'table') faults += countTableFaults(part);
    if (hasSpacedLetters(part.text)) faults++;
    if (part.kind !== 'heading') continue;
    headingLetters += countLetters(part.text);
    const next = parts[at + 1];
    if (next?.kind === 'text' && continuesSentence(next.text)) faults++;
    if (part.text.length > MAX_HEADING) faults++;
  }
  return faults + (headingLetters > lettersIn(parts) / 2 ? 1 : 0);
}

/** `C HA PT E R`: decorative letter spacing. */
function hasSpacedLetters(text: string): boolean {
  let run = 0;
  for (const word of stripEmphasis(text).split(/\s+/)) {
    run = /^\p{Lu}{1,2}$/u.test(word) ? run + 1 : 0;
    if (run >= 3) return true;
  }
  return false;
}

export function chooseReading({ reading: first, lines }: LiteparseReading, second: readonly PagePart[]): PageReading {
  const words = lowerCaseWords(first.parts.map(({ text }) => text).join(' '));
  const whole = second.map((part) => ({ ...part, text: joinHyphenated(part.text, words) }));
  const other = correctHeadings({ ...first, parts: locateParts(whole, lines), scope: 'second reading' });
  const isWhole = lettersIn(other.parts) >= MIN_COVERAGE * lettersIn(first.parts);
  // An engine that takes prose for a table has missed the columns too.
  const theirs = other.parts.filter(({ kind }) => kind === 'table').slice(0, MAX_TABLES);
  const misread = first.parts.filter((part) => isProseTable(part) && !theirs.some((table) => isSameTable(part, table)));
  if (isWhole && countFaults(other.parts) < countFaults(first.parts) + misread.length) return other;
  return { ...first, parts: confirmTables(withOtherSpacing(first.parts, other.parts), theirs) };
}

/** Takes headings from the other reading where that did not split them into letters. */
function withOtherSpacing(parts: readonly PagePart[], other: readonly PagePart[]): PagePart[] {
  const bare = (text: string) => stripEmphasis(text).replaceAll(/\s+/g, '');
  const spellings = new Map(other.map(({ text }) => [bare(text), stripEmphasis(text)]));
  return parts.map((part) => {
    const text = part.kind === 'heading' ? spellings.get(bare(part.text)) : undefined;
    return text !== undefined && text.length < part.text.length ? { ...part, text } : part;
  });
}

function confirmTables(parts: readonly PagePart[], theirs: readonly PagePart[]): PagePart[] {
  return parts.flatMap((part) => {
    if (part.kind !== 'table') return [part];
    const same = theirs.find((table) => isSameTable(part, table));
    if (!same) return theirs.length > 0 && isPlausibleTable(part) ? [part] : tableAsText(part);
    const isWhole = lettersIn([same]) >= MIN_COVERAGE * lettersIn([part]);
    return [isWhole && countTableFaults(same) < countTableFaults(part) ? { ...part, rows: same.rows! } : part];
  });
}

const isSameTable = (a: PagePart, b: PagePart): boolean => overlap(a, b) > MIN_OVERLAP;

/** The share of the smaller table's words that the other table also has. */
function overlap(a: PagePart, b: PagePart): number {
  const [mine, theirs] = [wordsIn(a), wordsIn(b)];
  let common = 0;
  for (const word of mine) if (theirs.has(word)) common++;
  return common / Math.max(1, Math.min(mine.size, theirs.size));
}

const wordsIn = (part: PagePart): Set<string> =>
  new Set(
    partText(part)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );

// Pages beyond this have too much text to match in reasonable time.
const MAX_COMPARISONS = 20_000_000;
const MIN_LINE_LENGTH = 2;

/** Finds the positions of parts whose engine reports none, by matching the printed lines of the other engine. */
function locateParts(parts: readonly PagePart[], lines: readonly PrintedLine[]): PagePart[] {
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
