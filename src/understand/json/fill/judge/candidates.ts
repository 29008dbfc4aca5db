// The values that could be meant by a field: what the rules find by its name, and what the reader proposes.
import type { Reading } from '../../../../encoders/reader/reading.ts';
import { folded } from '../../../data/item-values.ts';
import { labelBefore, type PageReadable, placesOf } from '../../../reading/page-reading.ts';
import type { Range } from '../../../reading/readable-text.ts';
import { findDate } from '../../values/read-date.ts';
import { readValue, textOf, type ValueContext } from '../../values/read-value.ts';
import { saysWords } from '../field-names.ts';
import { type Filling, type RequestedField, ranked } from '../ranked.ts';
import type { FillScope, RawValue, ValueSource } from '../scope.ts';
import { withoutLabel } from '../without-label.ts';
import { placesOfLabel } from './labelled-places.ts';
import { measuredPlaces } from './measured-places.ts';
import { tellingWords } from './telling-words.ts';
import { kindOfField } from './value-kind.ts';

export interface Candidate {
  value: string | number;
  /** As it stands on the page. */
  text: string;
  /** How well the rules find that it fits the name, 0 to 1; 0 for a proposal of the reader. */
  match: number;
  from: ReadonlySet<ValueSource>;
  /** How often the rules found it. */
  times: number;
  /** Where it stands in the text of the page. */
  places: readonly Range[];
  /** How well the reader finds that it answers; undefined if it has not read it. */
  score?: number;
}

const MAX_TRIED = 12;
const MAX_CANDIDATES = 16;

/** Without what the same words say twice, the best first. */
export function ruleCandidates(filling: Filling, asked: RequestedField, scope: FillScope): Candidate[] {
  const { context } = filling;
  const { text } = filling.judging!.page();
  const isDate = kindOfField(asked.field, asked.name) === 'date';
  const found = new Map<string, Candidate & { from: Set<ValueSource> }>();
  for (const { value, words, match, from, place } of saidBy(filling, asked, scope)) {
    const key = meaningOf(value, isDate, context);
    const known = found.get(key);
    if (known) {
      known.times += 1;
      known.match = Math.max(known.match, match);
      if (from) known.from.add(from);
    } else if (found.size < MAX_CANDIDATES) {
      const places = place
        ? [place]
        : [String(value), words].map((each) => placesOf(text, each)).find(({ length }) => length > 0);
      found.set(key, { value, text: words, match, from: new Set(from ? [from] : []), times: 1, places: places ?? [] });
    }
  }
  return [...found.values()];
}

interface Said {
  value: string | number;
  /** As it stands on the page. */
  words: string;
  match: number;
  from: ValueSource | undefined;
  /** Where it stands, if that is known. */
  place?: Range;
}

/** What the parts of the page with a name say, the best first, and then what its sentences say. */
function* saidBy(filling: Filling, asked: RequestedField, scope: FillScope): Generator<Said> {
  for (const { named, score } of ranked(asked, scope)) {
    for (const raw of named.values.slice(0, MAX_TRIED)) {
      const value = plainValue(filling, asked, withoutLabel(raw, named, asked));
      if (value !== undefined) yield { value, words: textOf(raw.value) ?? '', match: score, from: named.from };
    }
  }
  for (const { start, end, match, from } of placesInText(filling, asked)) {
    const words = filling.judging!.page().text.slice(start, end);
    const value = plainValue(filling, asked, { value: words });
    if (value !== undefined) yield { value, words, match, from, place: { start, end } };
  }
}

/** What is asked for, read from a text or a value of the data; undefined if it cannot be read so. */
function plainValue({ context }: Filling, { field, name }: RequestedField, raw: RawValue): string | number | undefined {
  const value = readValue(field, name, raw, context);
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined;
}

function placesInText({ context, judging }: Filling, { field, name }: RequestedField) {
  const { page, labels, measuring, shared } = judging!;
  const words = tellingWords(name, shared);
  const text = { text: page().text, sentences: measuring(), language: context.language };
  return [
    ...placesOfLabel(words, field.words, labels()).map((place) => ({ ...place, from: 'text' as const })),
    ...measuredPlaces(words, kindOfField(field, name), text).map((place) => ({ ...place, from: 'sentence' as const })),
  ];
}

/** With what the reader says about them, and with its own proposals. */
export function withReading(
  candidates: readonly Candidate[],
  { spans }: Reading,
  filling: Filling,
  asked: RequestedField,
): Candidate[] {
  const { context } = filling;
  const { text } = filling.judging!.page();
  const isDate = kindOfField(asked.field, asked.name) === 'date';
  const scores = new Map(spans.map(({ start, end, score }) => [`${start} ${end}`, score]));
  const all = new Map(
    candidates.map((candidate) => {
      const read = candidate.places.flatMap(({ start, end }) => scores.get(`${start} ${end}`) ?? []);
      return [
        meaningOf(candidate.value, isDate, context),
        { ...candidate, ...(read.length > 0 && { score: Math.max(...read) }) },
      ];
    }),
  );
  for (const { start, end, score } of spans) {
    const said = text.slice(start, end);
    const value = plainValue(filling, asked, { value: said });
    if (value === undefined) continue;
    const key = meaningOf(value, isDate, context);
    const known = all.get(key);
    if (!known) {
      const proposal = {
        value,
        text: said,
        match: 0,
        from: new Set<ValueSource>(),
        times: 0,
        places: [{ start, end }],
        score,
      };
      all.set(key, proposal);
    } else if (known.score === undefined || score > known.score) {
      all.set(key, { ...known, score, places: [{ start, end }, ...known.places] });
    }
  }
  return [...all.values()];
}

/** Two values that mean the same are one candidate: the same words, or the same day. */
function meaningOf(value: string | number, isDate: boolean, { language }: ValueContext): string {
  const day = isDate && typeof value === 'string' ? findDate(value, language)?.day : undefined;
  return day ?? (folded(String(value)) || String(value));
}

/** Whether the page says what a compound name adds to its concept: beside the candidate, or, for data, in the value itself. */
export function isNamedWhole(
  { name: { rest = [] } }: RequestedField,
  { text, places, match, from }: Candidate,
  page: PageReadable,
): boolean {
  if (rest.length === 0 || match === 0) return true;
  const around = places.map((place) => `${labelBefore(page.text, place.start)} ${lineOf(page.text, place)}`);
  const isData = [...from].every((source) => DATA.includes(source));
  return saysWords([text, ...(isData ? [] : [page.title, ...around])].join(' '), rest);
}

const DATA: readonly ValueSource[] = ['item', 'state', 'meta'];

const MAX_LINE = 300;
const lineOf = (text: string, { start, end }: Range): string => {
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - MAX_LINE);
  const line = text.indexOf('\n', end);
  return text.slice(from, Math.min(line === -1 ? text.length : line, end + MAX_LINE));
};
