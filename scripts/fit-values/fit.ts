// Fits the weights by which values are chosen (data/value-weights.json): `node scripts/fit-values/fit.ts PAGES READINGS EVERY`,
// with what collect.ts has written. Prints how good they are on kinds of pages that were left out of the fit.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSourceReader } from '../../bench/understand/read-source.ts';
import type { Reading } from '../../src/encoders/reader/reading.ts';
import { type Facts, probability } from '../../src/understand/json/fill/judge/score-value.ts';
import type { CollectedPage } from './collect.ts';
import { type JudgedField, judgedFields } from './judged-fields.ts';
import { labelledFields } from './labelled-fields.ts';
import { type Example, fitLogistic } from './logistic.ts';

const OUT = join(import.meta.dirname, '../../data/value-weights.json');
const ABOUT =
  'How much each fact speaks for a value being the one that a field asks for (src/understand/json/fill/judge/score-value.ts): log odds, for fields that the reader has looked for and for others. Fitted by scripts/fit-values on pages of shops for books and cameras, cars and jobs, each read by a reader that was trained without its kind.';
const PENALTY = 2;
const OWN_KINDS = ['shop', 'article', 'event', 'recipe', 'task'];
/** What the weights are drawn to where the pages say little: old sites have no data for programs. */
const EXPECTED: Facts = { item: 3, state: 1.5, match: 1, isMachineWritten: 1.5, isTemplate: -2 };

interface Labelled {
  kind: string;
  field: JudgedField;
  isThere: boolean;
  /** The reader has looked for it: rules alone do not decide. */
  isRead: boolean;
}

const [pages, readings, every] = process.argv.slice(2);
if (!pages || !readings || !every) throw new Error('usage: fit.ts PAGES READINGS EVERY');
const fields = { read: [] as Labelled[], unread: [] as Labelled[] };
const collected = new Map(
  readFileSync(readings, 'utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as CollectedPage)
    .map((page) => [page.id, new Map(page.readings)]),
);
const readSource = createSourceReader();
const labelled = labelledFields(pages, Number(every));
for (const page of labelled) {
  const source = readSource(page);
  const found = collected.get(page.id) ?? new Map<string, Reading>();
  for (const [table, known] of [
    ['read', found],
    ['unread', new Map<string, Reading>()],
  ] as const) {
    for (const field of judgedFields(source, page.fields, page.truth, known)) {
      // Fields that rules are certain of are never read.
      if (table === 'read' && !known.has(field.name)) continue;
      const isThere = (page.truth[field.name]?.length ?? 0) > 0;
      fields[table].push({ kind: page.kind, field, isThere, isRead: found.has(field.name) });
    }
  }
}

const table: Record<string, unknown> = { about: ABOUT };
const decided: Chosen[] = [];
const isOfSite = ({ kind }: Chosen): boolean => !OWN_KINDS.includes(kind);
const kinds = [...new Set(labelled.map(({ kind }) => kind))];
for (const name of ['read', 'unread'] as const) {
  console.log(`\n${name}: kinds that were left out of the fit`);
  const chosen = kinds.flatMap((kind) => {
    const weights = fitted(fields[name].filter((each) => each.kind !== kind));
    return fields[name].filter((each) => each.kind === kind).map((each) => choose(each, weights));
  });
  for (const kind of kinds)
    report(
      kind,
      chosen.filter((each) => each.kind === kind),
    );
  report('all', chosen);
  report('sites', chosen.filter(isOfSite));
  decided.push(...chosen.filter(({ isRead }) => isRead === (name === 'read')));
  table[name] = fitted(fields[name]);
}
console.log('\ntogether, as a page is read: rules where they are certain, else with the reader');
report('sites', decided.filter(isOfSite));
writeFileSync(OUT, `${JSON.stringify(table, undefined, 2)}\n`);

function fitted(some: readonly Labelled[]): Facts {
  const names = [...new Set(some.flatMap(({ field }) => field.candidates.flatMap(({ facts }) => Object.keys(facts))))];
  // An exact value counts more than one that is right but longer.
  const examples = some.flatMap(({ field: { candidates } }) =>
    candidates.map(
      ({ facts, exact, f1 }): Example => ({
        values: Float64Array.from(names, (each) => facts[each] ?? 0),
        target: f1 >= 0.5 ? 0.5 + exact / 2 : 0,
      }),
    ),
  );
  const weights = fitLogistic(
    examples,
    names.map((each) => EXPECTED[each] ?? 0),
    PENALTY,
  );
  return Object.fromEntries(names.map((each, at) => [each, Math.round(weights[at]! * 1_000) / 1_000]));
}

interface Chosen extends Pick<Labelled, 'kind' | 'isThere' | 'isRead'> {
  confidence: number;
  exact: number;
  f1: number;
}

function choose({ kind, isThere, isRead, field: { candidates } }: Labelled, weights: Facts): Chosen {
  const scores = candidates.map(({ facts }) => probability(facts, weights));
  const best = scores.indexOf(Math.max(...scores));
  return {
    kind,
    isThere,
    isRead,
    confidence: scores[best] ?? -1,
    exact: candidates[best]?.exact ?? 0,
    f1: candidates[best]?.f1 ?? 0,
  };
}

function report(title: string, chosen: readonly Chosen[]): void {
  const there = chosen.filter(({ isThere }) => isThere);
  const absent = chosen.filter(({ isThere }) => !isThere);
  const percent = (part: number, whole: number) => (whole === 0 ? '-' : ((100 * part) / whole).toFixed(1).padStart(5));
  console.log(`${title}: ${there.length} fields, ${absent.length} absent`);
  for (const threshold of [0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) {
    const given = there.filter(({ confidence }) => confidence >= threshold && confidence >= 0);
    const right = given.filter(({ f1 }) => f1 >= 0.5).length;
    const exact = given.filter((each) => each.exact === 1).length;
    const invented = absent.filter(({ confidence }) => confidence >= threshold && confidence >= 0).length;
    console.log(
      `  ${threshold.toFixed(1)}  given ${percent(given.length, there.length)}  right of them ${percent(right, given.length)}  exact of all ${percent(exact, there.length)}  invented ${percent(invented, absent.length)}`,
    );
  }
}
