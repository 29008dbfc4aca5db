// The entries of price lists: which lines around a price are its name, its description and the heading above it. What
// repeats decides: headings with one price each name entries, headings with several are sections.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';
import type { EndPrices } from './end-prices.ts';
import type { PricedLine } from './priced-lines.ts';

export interface Entry {
  /** Lines before the price: the name and more, or nothing if the name stands in the line of the price. */
  before: PricedLine[];
  line: PricedLine & { found: EndPrices };
  after: PricedLine[];
  section?: string;
  /** The element that contains the entry and no other one. */
  box: number;
}

const MIN_NAMING = 3;
const MAX_AFTER = 3;
const MAX_SECTION = 80;
const NAMING_SHARE = 2 / 3;

export function entriesOf(tree: HtmlTree, lines: readonly PricedLine[]): Entry[] {
  const naming = namingRanks(lines);
  const priced = lines.flatMap((line, at) => (line.found ? [at] : []));
  const boxes = boxesOf(tree, lines, priced, (line) => line.rank > 0 && !line.found && !naming.has(line.rank));
  const cards = cardsOf(tree, lines, priced, boxes);
  const entries: Entry[] = [];
  let section: string | undefined;
  const lead = leadOf(lines, priced, naming);
  for (const [index, at] of priced.entries()) {
    const line = lines[at] as Entry['line'];
    const gap = lines.slice(index === 0 ? 0 : priced[index - 1]! + 1, at);
    const last = entries.at(-1);
    const [own, previous] = [boxAt(boxes, cards, index), boxAt(boxes, cards, index - 1)];
    const isAlone = line.found.name === '';
    const around = {
      ...{
        naming,
        own: rangeOf(tree, own),
        previous: rangeOf(tree, previous),
        hasLast: last !== undefined,
        isTitle: titleAbove(tree, boxes[index]!),
      },
      lead: isAlone && !own ? lead : 0,
    };
    const head = gap.at(-1);
    let divided = divide(gap, around);
    // What stands right above a bare price can only be its name.
    if (isAlone && divided.before.length === 0 && head && head.rank > 0)
      divided = { ...divide(gap.slice(0, -1), around), before: [head] };
    section = divided.section ?? section;
    last?.after.push(...divided.after);
    entries.push({ before: divided.before, line, after: [], box: boxes[index]!, ...(section && { section }) });
    if (index === priced.length - 1) {
      const rest = divide(lines.slice(at + 1), {
        naming,
        own: undefined,
        previous: rangeOf(tree, own),
        hasLast: true,
        isTitle: () => false,
        lead: 0,
      });
      entries.at(-1)!.after.push(...rest.after);
    }
  }
  return limited(entries, cards, boxes);
}

const boxAt = (boxes: readonly number[], cards: ReadonlySet<number>, index: number): number | undefined =>
  index >= 0 && cards.has(boxes[index]!) ? boxes[index] : undefined;

const rangeOf = (tree: HtmlTree, node: number | undefined): [from: number, to: number] | undefined =>
  node === undefined ? undefined : [node, tree.end[node]!];

/** A short line beside the element that contains the cards is their heading. */
const titleAbove =
  (tree: HtmlTree, box: number) =>
  ({ text, from }: PricedLine): boolean => {
    if (text.length > MAX_SECTION || /[.!?]$/.test(text)) return false;
    const beside = tree.parent[tree.parent[from]!]!;
    return beside > 0 && beside < box && tree.end[beside]! > box && beside !== tree.parent[box];
  };

/** Ranks of headings below which there is mostly one price. Prices that have names of their own need no heading. */
function namingRanks(lines: readonly PricedLine[]): Set<number> {
  const counts = new Map<number, { single: number; alone: number; several: number }>();
  let open: { rank: number; prices: number; alone: number } | undefined;
  const close = () => {
    if (!open || open.prices === 0) return;
    const count = counts.get(open.rank) ?? { single: 0, alone: 0, several: 0 };
    counts.set(open.rank, count);
    if (open.prices > 1) count.several += 1;
    else count.single += 1;
    if (open.prices === 1) count.alone += open.alone;
  };
  for (const { rank, found } of lines) {
    if (found) {
      if (open) [open.prices, open.alone] = [open.prices + 1, open.alone + Number(found.name === '')];
    } else if (rank > 0) {
      close();
      open = { rank, prices: 0, alone: 0 };
    }
  }
  close();
  const isNaming = ({ single, alone, several }: { single: number; alone: number; several: number }) =>
    single >= NAMING_SHARE * (single + several) && (alone >= 2 || (single >= MIN_NAMING && several === 0));
  return new Set([...counts].filter(([, count]) => isNaming(count)).map(([rank]) => rank));
}

/** For each price the largest element that contains no other one and no heading of a section. */
function boxesOf(
  tree: HtmlTree,
  lines: readonly PricedLine[],
  priced: readonly number[],
  isSection: (line: PricedLine) => boolean,
): number[] {
  const borders = lines.flatMap((line, at) => (line.found || isSection(line) ? [at] : []));
  const place = new Map(borders.map((at, index) => [at, index]));
  const boxes = priced.map((at) => {
    const index = place.get(at)!;
    const before = index === 0 ? -1 : lines[borders[index - 1]!]!.from;
    const after = index + 1 < borders.length ? lines[borders[index + 1]!]!.from : tree.size;
    let box = 0;
    for (let node = tree.parent[lines[at]!.from]!; node > 0 && tree.tag[node] !== TAG.body; node = tree.parent[node]!) {
      if (before >= node || after < tree.end[node]!) break;
      box = node;
    }
    return box;
  });
  return likeOthers(tree, lines, priced, boxes);
}

/** The only dish of a section has a larger element of its own: inside of it is one like those of the others. */
function likeOthers(
  tree: HtmlTree,
  lines: readonly PricedLine[],
  priced: readonly number[],
  boxes: readonly number[],
): number[] {
  const classNumber = tree.attributeNumber('class');
  const keyOf = (node: number) => `${tree.tagName(node)}.${tree.attributeAt(node, classNumber) ?? ''}`;
  const counts = new Map<string, number>();
  for (const box of boxes) if (box !== 0) counts.set(keyOf(box), (counts.get(keyOf(box)) ?? 0) + 1);
  return boxes.map((box, index) => {
    if (box === 0 || counts.get(keyOf(box))! > 1) return box;
    let best = box;
    for (let node = lines[priced[index]!]!.from; node > box; node = tree.parent[node]!) {
      if ((counts.get(keyOf(node)) ?? 0) > 1) best = node;
    }
    return best;
  });
}

/** Boxes with several lines, and those of the same kind. */
function cardsOf(
  tree: HtmlTree,
  lines: readonly PricedLine[],
  priced: readonly number[],
  boxes: readonly number[],
): Set<number> {
  const classNumber = tree.attributeNumber('class');
  const keyOf = (node: number) => `${tree.tagName(node)}.${tree.attributeAt(node, classNumber) ?? ''}`;
  const isIn = (line: PricedLine | undefined, box: number) =>
    line !== undefined && line.from >= box && line.from < tree.end[box]!;
  const kinds = new Set<string>();
  for (const [index, box] of boxes.entries()) {
    const at = priced[index]!;
    if (box !== 0 && (isIn(lines[at - 1], box) || isIn(lines[at + 1], box))) kinds.add(keyOf(box));
  }
  return new Set(boxes.filter((box) => box !== 0 && kinds.has(keyOf(box))));
}

/** How many lines stand before a price in a line of its own, where the list begins. */
function leadOf(lines: readonly PricedLine[], priced: readonly number[], naming: ReadonlySet<number>): number {
  const leads = priced.flatMap((at) => {
    if (lines[at]!.found!.name !== '') return [];
    let count = 0;
    for (let line = lines[at - 1 - count]; line && !line.found; line = lines[at - 1 - count]) {
      if (line.rank > 0 && !naming.has(line.rank)) return count > 0 ? [count] : [];
      count += 1;
    }
    return [];
  });
  return Math.max(1, Math.min(...leads, MAX_AFTER));
}

interface Surroundings {
  naming: ReadonlySet<number>;
  /** Ranges of the cards of this entry and of the one before it. */
  own: [from: number, to: number] | undefined;
  previous: [from: number, to: number] | undefined;
  /** Is the line a heading by where it stands? */
  isTitle: (line: PricedLine) => boolean;
  /** There is an entry before this one. */
  hasLast: boolean;
  /** Lines that belong to a price in a line of its own, if nothing else says which. */
  lead: number;
}

/** Divides the lines between two prices. */
function divide(
  gap: readonly PricedLine[],
  { naming, own, previous, hasLast, isTitle, lead }: Surroundings,
): { after: PricedLine[]; before: PricedLine[]; section?: string } {
  const isIn = ({ from }: PricedLine, range: [number, number] | undefined) =>
    range !== undefined && from >= range[0] && from < range[1];
  const result: { after: PricedLine[]; before: PricedLine[]; section?: string } = { after: [], before: [] };
  let isAfter = true;
  for (const [at, line] of gap.entries()) {
    const isNaming = naming.has(line.rank);
    if (isIn(line, own) || isNaming || (result.before.length > 0 && !line.rank && !own)) {
      // The first of two names without a price between them is a heading.
      if (isNaming && result.before.length === 1 && result.before[0]!.rank > 0)
        result.section = result.before[0]!.text.replaceAll('\t', ' ');
      if (isNaming) result.before = [];
      result.before.push(line);
      isAfter = false;
    } else if (line.rank > 0) {
      result.section = line.text.replaceAll('\t', ' ');
      result.before = [];
      isAfter = false;
    } else if (lead > 0 && at >= gap.length - lead) {
      result.before.push(line);
      isAfter = false;
    } else if (isIn(line, previous) || (isAfter && !previous && (hasLast || !own))) result.after.push(line);
    else if (isAfter && own && isTitle(line)) {
      result.section = line.text.replaceAll('\t', ' ');
      isAfter = false;
    }
  }
  return result;
}

/** At the end of a list, an entry has no more lines than those that another one follows. */
function limited(entries: Entry[], cards: ReadonlySet<number>, boxes: readonly number[]): Entry[] {
  const isCard = (at: number) => cards.has(boxes[at]!);
  const usual = Math.max(
    0,
    ...entries
      .slice(0, -1)
      .flatMap(({ after, section }, at) => (entries[at + 1]!.section === section && !isCard(at) ? [after.length] : [])),
  );
  return entries.map((entry, at) => {
    const isLast = entries[at + 1]?.section !== entry.section || at === entries.length - 1;
    return isLast && !isCard(at)
      ? { ...entry, after: entry.after.slice(0, Math.min(usual, MAX_AFTER)) }
      : { ...entry, after: entry.after.slice(0, MAX_AFTER) };
  });
}
