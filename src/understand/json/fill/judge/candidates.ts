// The values that could be meant by a field: what the rules find by its name, and what the reader proposes.
import type { Reading } from '../../../../encoders/reader/reading.ts';
import { stemEnglish } from '../../../../text/words/stemmer.ts';
import { folded } from '../../../data/item-values.ts';
import { labelBefore, type PageReadable, placesOf } from '../../../reading/page-reading.ts';
import type { Range } from '../../../reading/readable-text.ts';
import { findDate } from '../../values/read-date.ts';
import { readValue, textOf, type ValueContext } from '../../values/read-value.ts';
import { nameWords } from '../field-names.ts';
import { type Filling, type RequestedField, ranked } from '../ranked.ts';
import type { FillScope, ValueSource } from '../scope.ts';
import { withoutLabel } from '../without-label.ts';
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
export function ruleCandidates({ context, judging }: Filling, asked: RequestedField, scope: FillScope): Candidate[] {
  const page = judging!.page();
  const isDate = kindOfField(asked.field, asked.name) === 'date';
  const found = new Map<string, Candidate & { from: Set<ValueSource> }>();
  for (const { named, score } of ranked(asked, scope)) {
    for (const raw of named.values.slice(0, MAX_TRIED)) {
      const value = readValue(asked.field, asked.name, withoutLabel(raw, named, asked), context);
      if ((typeof value !== 'string' && typeof value !== 'number') || value === '') continue;
      const key = meaningOf(value, isDate, context);
      const known = found.get(key);
      if (known) {
        known.times += 1;
        if (named.from) known.from.add(named.from);
      } else if (found.size < MAX_CANDIDATES) {
        const text = textOf(raw.value) ?? '';
        const places = [String(value), text].map((each) => placesOf(page.text, each)).find(({ length }) => length > 0);
        const from = new Set(named.from ? [named.from] : []);
        found.set(key, { value, text, match: score, from, times: 1, places: places ?? [] });
      }
    }
  }
  return [...found.values()];
}

/** With what the reader says about them, and with its own proposals. */
export function withReading(
  candidates: readonly Candidate[],
  { spans }: Reading,
  { context, judging }: Filling,
  { field, name }: RequestedField,
): Candidate[] {
  const { text } = judging!.page();
  const isDate = kindOfField(field, name) === 'date';
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
    const value = readValue(field, name, { value: said }, context);
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') continue;
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

/** The name and the label of a candidate share the part of a compound name that its concept leaves out. */
export function isNamedWhole(
  { name: { rest = [] } }: RequestedField,
  { text, places, match }: Candidate,
  page: PageReadable,
): boolean {
  if (rest.length === 0 || match === 0) return true;
  const around = places.map((place) => `${labelBefore(page.text, place.start)} ${lineOf(page.text, place)}`);
  const said = new Set(nameStems([text, page.title, ...around].join(' ')));
  return rest.every((word) => said.has(stemEnglish(word)));
}

const nameStems = (text: string): string[] => text.split(/\s+/).flatMap((part) => nameWords(part).map(stemEnglish));

const MAX_LINE = 300;
const lineOf = (text: string, { start, end }: Range): string => {
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - MAX_LINE);
  const line = text.indexOf('\n', end);
  return text.slice(from, Math.min(line === -1 ? text.length : line, end + MAX_LINE));
};
