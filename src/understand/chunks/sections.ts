// Divides a page at its headings, and joins what is too little for a chunk of its own.
import { tokensOf, tokenWeight } from '../../text/estimate-tokens.ts';
import { sha256 } from '../../util/hash.ts';
import { headingText } from './heading-text.ts';
import type { ScannedBlock } from './scan-blocks.ts';

export interface PageSection {
  /** The headings above it, and its own. */
  path: string[];
  /** The level of the strongest heading that it begins with, and the path of that; 0 before the first heading. */
  level: number;
  border: string[];
  blocks: ScannedBlock[];
}

export interface SectionGroup {
  /** The headings above all of its sections. */
  path: string[];
  blocks: ScannedBlock[];
}

/** A section of more than this share of a chunk can stand by itself, and is not joined with another such. */
const SMALL_SHARE = 0.25;

/** Headings without a text of their own belong to the section below them. */
export function sectionsOf(blocks: readonly ScannedBlock[]): PageSection[] {
  const sections: PageSection[] = [];
  const open: { level: number; text: string }[] = [];
  let hasText = true;
  for (const block of blocks) {
    const { level } = block;
    if (level === undefined) {
      if (sections.length === 0) sections.push({ path: [], level: 0, border: [], blocks: [] });
      hasText = true;
    } else {
      while (open.length > 0 && open.at(-1)!.level >= level) open.pop();
      open.push({ level, text: headingText(block) });
      const path = open.map(({ text }) => text);
      if (hasText) sections.push({ path, level, border: path, blocks: [] });
      const section = sections.at(-1)!;
      if (level < section.level) Object.assign(section, { level, border: path });
      section.path = path;
      hasText = false;
    }
    sections.at(-1)!.blocks.push(block);
  }
  if (hasText || sections.length < 2) return sections;
  // The page ends with headings.
  const last = sections.pop()!;
  for (const block of last.blocks) sections.at(-1)!.blocks.push(block);
  return sections;
}

/**
 * Joins neighbours that fit into one chunk, unless two of them can stand by themselves. What is too long is divided before
 * its strongest heading. Which of several equal ones that is, their texts decide: so a change of one section never moves
 * the borders between others.
 */
export function groupSections(sections: readonly PageSection[], maxTokens: number): SectionGroup[] {
  const small = maxTokens * SMALL_SHARE;
  const weights = [0];
  const large = [0];
  for (const { blocks } of sections) {
    const weight = tokenWeight(blocks[0]!.lines.text, blocks[0]!.start, blocks.at(-1)!.end);
    weights.push(weights.at(-1)! + weight);
    large.push(large.at(-1)! + (tokensOf(weight) > small ? 1 : 0));
  }
  const isJoined = (from: number, to: number): boolean =>
    to - from === 1 || (tokensOf(weights[to]! - weights[from]!) <= maxTokens && large[to]! - large[from]! <= 1);
  const groups: SectionGroup[] = [];
  const borders = bordersOf(sections);
  const waiting = sections.length === 0 ? [] : [{ from: 0, to: sections.length, border: borders.strongest }];
  for (let range = waiting.pop(); range; range = waiting.pop()) {
    const { from, to, border } = range;
    if (isJoined(from, to)) groups.push(groupOf(sections.slice(from, to)));
    else {
      waiting.push({ from: border, to, border: borders.after[border]! });
      waiting.push({ from, to: border, border: borders.before[border]! });
    }
  }
  return groups;
}

const groupOf = (sections: readonly PageSection[]): SectionGroup => ({
  path: sections
    .map(({ path }) => path)
    .filter((path) => path.length > 0)
    .reduce((shared, path) => shared.slice(0, sharedLength(shared, path)), sections.at(-1)!.path),
  blocks: sections.flatMap(({ blocks }) => blocks),
});

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

interface Borders {
  strongest: number;
  /** By border: the strongest before it and after it, within what the one above it divides. */
  before: Int32Array;
  after: Int32Array;
}

/** A Cartesian tree of the borders between sections, each named by the section after it. */
function bordersOf(sections: readonly PageSection[]): Borders {
  const keys = borderKeys(sections);
  const before = new Int32Array(sections.length);
  const after = new Int32Array(sections.length);
  const path: number[] = [];
  for (let border = 1; border < sections.length; border += 1) {
    let weaker = 0;
    while (path.length > 0 && keys[border]! < keys[path.at(-1)!]!) weaker = path.pop()!;
    before[border] = weaker;
    if (path.length > 0) after[path.at(-1)!] = border;
    path.push(border);
  }
  return { strongest: path[0] ?? 0, before, after };
}

const KEY_DIGITS = 12;

/** Less is stronger. Headings of the same name under the same headings are counted. */
function borderKeys(sections: readonly PageSection[]): string[] {
  const counts = new Map<string, number>();
  return sections.map(({ level, border }) => {
    const name = JSON.stringify(border);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return `${level}${sha256(`${count} ${name}`).slice(0, KEY_DIGITS)}`;
  });
}
