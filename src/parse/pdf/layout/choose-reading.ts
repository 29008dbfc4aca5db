// Two readings of a page, one choice: which of them has fewer faults that anybody can see without knowing the page, and which of
// the tables that one of them found the other one confirms.

import { countLetters, lettersOf, type PageReading, type Part, plainOf } from '../page-parts.ts';
import type { LiteReading } from '../readers/liteparse-parts.ts';
import { beginsWithin, joinHyphenated, withoutEmphasis, wordsOf } from '../repair-text.ts';
import { withPlaces } from './locate-parts.ts';
import { settleHeadings } from './pdf-headings.ts';
import { faultsOf, isPlausible, isProse, tableAsText } from './pdf-tables.ts';

const LONGEST_HEADING = 150;
const COVERAGE = 0.93;
// The lines of a chart are more.
const MOST_RULES = 6;
const SAME_TABLE = 0.6;
// Each is held against each of the other reading.
const MOST_TABLES = 40;

/** Whether a second reading may do better. */
export function isDoubtful({ parts }: PageReading): boolean {
  const tables = parts.filter(({ kind }) => kind === 'table');
  if (tables.length > MOST_TABLES) return false;
  return (
    faultsIn(parts) > 0 ||
    parts.some(isBrokenTitle) ||
    (tables.length > 0 ? !tables.every(isPlausible) : hasBareRules(parts))
  );
}

/** Three rules of the same width, above and below a few words, are how books set tables. */
function hasBareRules(parts: readonly Part[]): boolean {
  const widths = new Map<string, number>();
  for (const { kind, box } of parts) {
    if (kind !== 'rule' || !box) continue;
    const width = `${Math.round(box.x)} ${Math.round(box.width)}`;
    widths.set(width, (widths.get(width) ?? 0) + 1);
  }
  return [...widths.values()].some((count) => count >= 3 && count <= MOST_RULES);
}

// Short words of titles that are words, in the languages that most documents are written in.
const SHORT_WORDS = new Set(
  'A AN AND AT BY DE DER DES DIE DU EL EN ET FOR I II III IN IV LA LE OF ON OR THE TO UND V VI Y'.split(' '),
);

/** `BURN ING BR IDGES`: capitals that were set apart a little, taken for words. */
function isBrokenTitle({ kind, text }: Part): boolean {
  if (kind !== 'heading' || text !== text.toUpperCase()) return false;
  const short = text.split(/\s+/).filter((word) => /^\p{Lu}{1,3}$/u.test(word) && !SHORT_WORDS.has(word));
  return short.length > 1;
}

/** Faults that can be seen without knowing the page. */
export function faultsIn(parts: readonly Part[]): number {
  let [faults, headingLetters] = [0, 0];
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'table') faults += faultsOf(part);
    if (hasSpacedLetters(part.text)) faults++;
    if (part.kind !== 'heading') continue;
    headingLetters += countLetters(part.text);
    const next = parts[at + 1];
    if (next?.kind === 'text' && beginsWithin(next.text)) faults++;
    if (part.text.length > LONGEST_HEADING) faults++;
  }
  return faults + (headingLetters > lettersOf(parts) / 2 ? 1 : 0);
}

/** `C HA PT E R`: letters that were set apart for show. */
function hasSpacedLetters(text: string): boolean {
  let run = 0;
  for (const word of withoutEmphasis(text).split(/\s+/)) {
    run = /^\p{Lu}{1,2}$/u.test(word) ? run + 1 : 0;
    if (run >= 3) return true;
  }
  return false;
}

export function choose({ reading: first, lines }: LiteReading, second: readonly Part[]): PageReading {
  const words = wordsOf(first.parts.map(({ text }) => text).join(' '));
  const whole = second.map((part) => ({ ...part, text: joinHyphenated(part.text, words) }));
  const other = settleHeadings({ ...first, parts: withPlaces(whole, lines), scope: 'second reading' });
  const isWhole = lettersOf(other.parts) >= COVERAGE * lettersOf(first.parts);
  // Who takes lines of prose for a table has not seen the columns either.
  const theirs = other.parts.filter(({ kind }) => kind === 'table').slice(0, MOST_TABLES);
  const misread = first.parts.filter((part) => isProse(part) && !theirs.some((table) => isSame(part, table)));
  if (isWhole && faultsIn(other.parts) < faultsIn(first.parts) + misread.length) return other;
  return { ...first, parts: confirmTables(respaced(first.parts, other.parts), theirs) };
}

/** Titles whose letters the other reader did not take for words of their own. */
function respaced(parts: readonly Part[], other: readonly Part[]): Part[] {
  const bare = (text: string) => withoutEmphasis(text).replaceAll(/\s+/g, '');
  const spellings = new Map(other.map(({ text }) => [bare(text), withoutEmphasis(text)]));
  return parts.map((part) => {
    const text = part.kind === 'heading' ? spellings.get(bare(part.text)) : undefined;
    return text !== undefined && text.length < part.text.length ? { ...part, text } : part;
  });
}

function confirmTables(parts: readonly Part[], theirs: readonly Part[]): Part[] {
  return parts.flatMap((part) => {
    if (part.kind !== 'table') return [part];
    const same = theirs.find((table) => isSame(part, table));
    if (!same) return theirs.length > 0 && isPlausible(part) ? [part] : tableAsText(part);
    const isWhole = lettersOf([same]) >= COVERAGE * lettersOf([part]);
    return [isWhole && faultsOf(same) < faultsOf(part) ? { ...part, rows: same.rows! } : part];
  });
}

const isSame = (a: Part, b: Part): boolean => overlap(a, b) > SAME_TABLE;

/** The share of the words of the smaller table that the other has as well. */
function overlap(a: Part, b: Part): number {
  const [mine, theirs] = [wordsIn(a), wordsIn(b)];
  let common = 0;
  for (const word of mine) if (theirs.has(word)) common++;
  return common / Math.max(1, Math.min(mine.size, theirs.size));
}

const wordsIn = (part: Part): Set<string> =>
  new Set(
    plainOf(part)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
