// Finds which lines of a page were added, removed or changed, if volatile parts, formatting and order do not count.
import { diffLines } from '../../diff-lines.ts';
import type { PageLine } from './page-lines.ts';

export interface KeyedLine extends PageLine {
  /** Lines with equal keys say the same and lead to the same address. */
  key: string;
  /** The words alone. */
  words: string;
}

export interface LineChange {
  before?: KeyedLine;
  after?: KeyedLine;
  /** It stands at another place of a numbered list. */
  isRenumbered?: true;
}

/** Beyond this, lines of a block are not matched by likeness: that takes time that grows with the square. */
const MAX_MATCHED = 60;
const LIKENESS = 0.4;

export function matchLines(before: readonly KeyedLine[], after: readonly KeyedLine[]): LineChange[] {
  const blocks: { removed: KeyedLine[]; added: KeyedLine[] }[] = [];
  let [old, now] = [0, 0];
  const keysOf = (lines: readonly KeyedLine[]) => lines.map(({ key }) => key);
  for (const edit of diffLines(keysOf(before), keysOf(after))) {
    if ('kept' in edit) {
      old += edit.kept;
      now += edit.kept;
      continue;
    }
    blocks.push({ removed: before.slice(old, old + edit.removed), added: after.slice(now, now + edit.added) });
    old += edit.removed;
    now += edit.added;
  }
  const moves = movedLines(blocks);
  const rest = blocks.map(({ removed, added }) => ({
    removed: removed.filter((line) => !moves.lines.has(line)),
    added: added.filter((line) => !moves.lines.has(line)),
  }));
  return [...moves.renumbered, ...rest.flatMap(({ removed, added }) => pairs(removed, added))];
}

/**
 * Lines that disappear at one place and appear at another. In a numbered list, the place is part of what it says, unless it
 * is a list of links: those are sorted by something that moves.
 */
function movedLines(blocks: readonly { removed: KeyedLine[]; added: KeyedLine[] }[]) {
  const lines = new Set<KeyedLine>();
  const renumbered: LineChange[] = [];
  // First those that also lead to the same address. What has moved may lead there by another way.
  for (const keyOf of [({ key }: KeyedLine) => key, ({ words }: KeyedLine) => words]) {
    const rest = (found: readonly KeyedLine[]) => found.filter((line) => !lines.has(line) && keyOf(line) !== '');
    const waiting = Map.groupBy(rest(blocks.flatMap(({ removed }) => removed)), keyOf);
    for (const after of rest(blocks.flatMap(({ added }) => added))) {
      const before = waiting.get(keyOf(after))?.pop();
      if (!before || (before.key !== after.key && isSameBlock(blocks, before, after))) continue;
      lines.add(before).add(after);
      if (before.isNumbered && after.isNumbered && !after.zone && after.targets === '')
        renumbered.push({ before, after, isRenumbered: true });
    }
  }
  return { lines, renumbered };
}

type Block = { removed: KeyedLine[]; added: KeyedLine[] };

const isSameBlock = (blocks: readonly Block[], before: KeyedLine, after: KeyedLine): boolean =>
  blocks.some(({ removed, added }) => removed.includes(before) && added.includes(after));

function pairs(removed: readonly KeyedLine[], added: readonly KeyedLine[]): LineChange[] {
  // The same words, with other line breaks.
  if (joined(removed) === joined(added)) return [];
  if (removed.length === 0 || added.length === 0) {
    return [...removed.map((before) => ({ before })), ...added.map((after) => ({ after }))];
  }
  const paired =
    removed.length * added.length > MAX_MATCHED ** 2 ? new Map<KeyedLine, KeyedLine>() : alike(removed, added);
  const [lonely, fresh] = [
    removed.filter((line) => !paired.has(line)),
    added.filter((line) => ![...paired.values()].includes(line)),
  ];
  const isOneToOne = lonely.length === fresh.length;
  return [
    ...[...paired].map(([before, after]) => ({ before, after })),
    ...(isOneToOne
      ? lonely.map((before, at) => ({ before, after: fresh[at]! }))
      : [...lonely.map((before) => ({ before })), ...fresh.map((after) => ({ after }))]),
  ];
}

const joined = (lines: readonly KeyedLine[]): string => lines.map(({ key }) => key.replaceAll(' ', '')).join('');

/** The likeliest pairs first. */
function alike(removed: readonly KeyedLine[], added: readonly KeyedLine[]): Map<KeyedLine, KeyedLine> {
  const words = (line: KeyedLine) => new Set(line.key.split(' '));
  const addedWords = added.map(words);
  const candidates = removed
    .flatMap((before) => {
      const own = words(before);
      return added.map((after, at) => ({ before, after, likeness: likeness(own, addedWords[at]!) }));
    })
    .filter((pair) => pair.likeness >= LIKENESS)
    .sort((one, other) => other.likeness - one.likeness);
  const paired = new Map<KeyedLine, KeyedLine>();
  const taken = new Set<KeyedLine>();
  for (const { before, after } of candidates) {
    if (paired.has(before) || taken.has(after)) continue;
    paired.set(before, after);
    taken.add(after);
  }
  return paired;
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  return (2 * common) / (one.size + other.size);
}
