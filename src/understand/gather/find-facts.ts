// Looks for single fields in the text of a page, where its data does not have them: "Label: value", cells of tables, and
// numbers or days in a sentence that names the field.
import { eachSentence } from '../../text/passages/sentences.ts';
import { stemEnglish } from '../../text/words/stemmer.ts';
import { fieldName, nameWords } from '../json/fill/field-names.ts';
import type { SchemaField } from '../json/schema/schema-field.ts';
import { readValue } from '../json/values/read-value.ts';
import type { SourcePage } from './gathered.ts';

export interface WantedFact {
  name: string;
  field: SchemaField;
  /** Words of the names of the other fields: what several fields share does not tell them apart. */
  shared: ReadonlySet<string>;
}

export interface Fact {
  value: unknown;
  /** How surely the text speaks of the field: 0 to 1. */
  score: number;
  start: number;
  end: number;
}

interface Wanted {
  /** All words of the name, and those that tell it from other fields. */
  words: string[];
  own: string[];
  /** Those, and the words of its description. */
  all: Set<string>;
}

const MAX_TEXT = 60_000;
const LINK_TARGET = /(?<=\]\()[^)\s]{1,2000}|\bhttps?:\/\/[^\s)>\]]{1,2000}/g;
const MAX_LINE = 400;
const MAX_VALUE = 200;
/** Words of names that say how a value is given, not what it is. */
const GENERIC = new Set(
  'in of the a an per and for to by is at on date number no value total name text amount'.split(' '),
);

export function findFact({ name, field, shared }: WantedFact, page: SourcePage): Fact | undefined {
  if (field.kind === 'object' || field.kind === 'array') return undefined;
  const wanted = wantedWords(name, field, shared);
  if (wanted.own.length === 0) return undefined;
  // Addresses of links are blanked, so that nothing is read from them and every place stays where it is.
  const text = page.markdown.slice(0, MAX_TEXT).replace(LINK_TARGET, (target) => ' '.repeat(target.length));
  let best: Fact | undefined;
  const offer = (score: number, start: number, end: number) => {
    if (score <= (best?.score ?? 0) || end <= start || end - start > MAX_VALUE) return;
    const value = readValue(field, fieldName(name), { value: plain(text.slice(start, end)) }, page);
    if (value !== undefined && value !== '') best = { value, score, start, end };
  };
  labelledLines(text, wanted, offer);
  tableCells(text, wanted, offer);
  if (!best && isMeasured(field)) sentences(text, wanted, field, offer);
  return best;
}

type Offer = (score: number, start: number, end: number) => void;

export const nameStems = (text: string): string[] => nameWords(text).map(stemEnglish);
const plain = (text: string): string =>
  text
    .replace(/[*_`\\|]+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim();
const isMeasured = ({ kind, format }: SchemaField): boolean =>
  kind === 'number' || kind === 'integer' || format === 'date' || format === 'date-time';

function wantedWords(name: string, field: SchemaField, shared: ReadonlySet<string>): Wanted {
  const words = nameStems(name).filter((word) => !GENERIC.has(word));
  const own = words.filter((word) => !shared.has(word));
  const described = field.words
    .slice(0, 200)
    .split(/\s+/)
    .flatMap(nameStems)
    .filter((word) => !GENERIC.has(word));
  return { words, own: own.length > 0 ? own : words, all: new Set([...words, ...described]) };
}

/** How well a label names the field: its words must be the field's, and tell it from the other fields. */
function labelScore(label: string, { words, own, all }: Wanted): number {
  if (label.length > 80) return 0;
  const named = nameStems(label).filter((word) => !GENERIC.has(word));
  if (named.length === 0 || !named.every((word) => all.has(word))) return 0;
  const covered = words.filter((word) => named.includes(word)).length / words.length;
  const isTold = own.every((word) => named.includes(word));
  return isTold ? 0.6 + 0.4 * covered : covered > 0.6 ? 0.5 * covered : 0;
}

const COLON = /:[*_]{0,2}[ \t]{1,3}(?=\S)/g;
/** Where the next label of the same line begins: PDFs and flat pages have several in one line. */
const NEXT_LABEL = /\s\p{Lu}[\p{L} /-]{1,40}:\s/u;
const LABEL_WORDS = 5;
const MAX_LABEL = 80;

const VALUE_END = /[.,;]+$/;
const SENTENCE_END = /(?<=\p{L}{3}|\d)\.\s+(?=\p{Lu})/u;
const sentenceEnd = (line: string): number => SENTENCE_END.exec(line)?.index ?? line.length;

function labelledLines(text: string, wanted: Wanted, offer: Offer): void {
  for (const match of text.matchAll(COLON)) {
    const before = text
      .slice(Math.max(0, match.index - MAX_LABEL), match.index)
      .split(/[\n·•;|]/)
      .at(-1)!;
    const words = plain(before).split(/\s+/).slice(-LABEL_WORDS);
    const score = Math.max(...words.map((_, from) => labelScore(words.slice(from).join(' '), wanted)));
    if (score === 0) continue;
    const start = match.index + match[0].length;
    const line = text.slice(start, start + MAX_LINE).split(/[\n|]/, 1)[0]!;
    const next = NEXT_LABEL.exec(line)?.index ?? line.length;
    const value = line.slice(0, Math.min(next, sentenceEnd(line))).trimEnd();
    offer(score, start, start + value.replace(VALUE_END, '').length);
  }
}

/** The first cell names the row, the header names the column; a table of two columns needs no header. */
function tableCells(text: string, wanted: Wanted, offer: Offer): void {
  let header: string[] | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const cells = line.startsWith('|') ? cellsOf(line, at) : [];
    at += line.length + 1;
    if (cells.length < 2) header = undefined;
    else if (!header) header = cells.map(({ text: cell }) => cell);
    else if (!/^[\s|:-]+$/.test(line)) offerRow(cells, header, wanted, offer);
    if (cells.length === 2 && header) offerRow(cells, ['', ''], wanted, offer);
  }
}

interface Cell {
  text: string;
  start: number;
  end: number;
}

function offerRow(cells: readonly Cell[], header: readonly string[], wanted: Wanted, offer: Offer): void {
  for (const [column, { start, end }] of cells.entries()) {
    if (column === 0) continue;
    const label = `${cells[0]!.text} ${header[column] ?? ''}`;
    // The column of a value need not be named, if the row is.
    const score = Math.max(labelScore(label, wanted), cells.length === 2 ? labelScore(cells[0]!.text, wanted) : 0);
    if (score > 0) offer(score, start, end);
  }
}

function cellsOf(line: string, offset: number): Cell[] {
  if (line.length > 4 * MAX_LINE) return [];
  const cells: Cell[] = [];
  for (let at = 1; at < line.length; ) {
    const next = line.indexOf('|', at);
    const end = next === -1 ? line.length : next;
    const raw = line.slice(at, end);
    if (next !== -1 || raw.trim() !== '') {
      const start = at + (raw.length - raw.trimStart().length);
      cells.push({ text: plain(raw), start: offset + start, end: offset + at + raw.trimEnd().length });
    }
    at = end + 1;
  }
  return cells;
}

const NUMBER = /[$€£¥]?\s?\d[\d.,'\u00a0\u202f]*(?:\s?(?:million|billion|thousand|€|£|%))?/g;
const DAY =
  /\b\d{1,2}\.?(?:st|nd|rd|th)?\s+\p{L}{3,12}\.?\s+\d{4}|\b\p{L}{3,12}\s+\d{1,2},?\s+\d{4}|\b\d{4}-\d{2}-\d{2}|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}/gu;
const MONEY = /\b(?:pound|dollar|euro|price|cost|fee|usd|eur|gbp|£|€|\$)/i;

/** In a sentence that names the field, the number or day that stands nearest to its name. */
function sentences(text: string, wanted: Wanted, field: SchemaField, offer: Offer): void {
  const isDay = field.kind === 'string';
  const wantsMoney = MONEY.test(`${field.words} ${[...wanted.all].join(' ')}`);
  eachSentence(text, (start, end) => {
    const sentence = text.slice(start, Math.min(end, start + MAX_LINE));
    const places = [...sentence.matchAll(/[\p{L}\p{N}_]+/gu)].map((match) => ({
      stem: nameStems(match[0])[0] ?? '',
      at: match.index,
    }));
    const found = places.filter(({ stem }) => wanted.own.includes(stem));
    if (!wanted.own.every((word) => found.some(({ stem }) => stem === word))) return;
    const covered =
      wanted.words.filter((word) => places.some(({ stem }) => stem === word)).length / wanted.words.length;
    const candidates = [...sentence.matchAll(isDay ? DAY : NUMBER)]
      .filter(([match]) => isDay || !wantsMoney || /[$€£]/.test(match))
      .map((match) => ({ match, distance: Math.min(...found.map(({ at }) => Math.abs(at - match.index))) }))
      .toSorted((a, b) => a.distance - b.distance);
    const nearest = candidates[0];
    if (nearest)
      offer(
        0.3 * covered + 0.1 / (1 + nearest.distance / 20),
        start + nearest.match.index,
        start + nearest.match.index + nearest.match[0].trimEnd().length,
      );
  });
}
