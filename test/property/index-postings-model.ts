// What the ranking part of the index should answer, worked out from the documents one by one.
import assert from 'node:assert/strict';
import type { Postings, Ranking, RankRequest } from '../../src/index/postings/postings.ts';
import type { SampleDocument } from '../unit/store/index-postings-samples.ts';

export interface Model {
  readonly living: ReadonlyMap<number, SampleDocument>;
  /** Removed, and perhaps purged. */
  readonly removed: ReadonlyMap<number, SampleDocument>;
}

interface Scored {
  score: number;
  covered: number;
}

/** Two ways to add up the same numbers may differ in the last digits. */
const TOLERANCE = 1e-9;

/** `unpurged`: the removed documents that still count for the statistics. */
export function assertRanks(postings: Postings, model: Model, unpurged: readonly number[], request: RankRequest): void {
  const counted = [...model.living.values(), ...unpurged.map((number) => model.removed.get(number)!)];
  const expected = scoreAll(model, counted, request);
  const found = postings.rank(request);
  assert.equal(found.total, expected.size, 'the number of documents that have a word');
  assert.equal(found.hits.length, Math.min(request.depth, expected.size));
  assertHits(found, expected);
}

function assertHits({ hits }: Ranking, expected: Map<number, Scored>): void {
  for (const [place, { number, score, covered }] of hits.entries()) {
    const wanted = expected.get(number);
    assert.ok(wanted, `document ${number} does not fit`);
    assert.ok(Math.abs(score - wanted.score) < TOLERANCE, `${number} has ${score}, not ${wanted.score}`);
    assert.equal(covered, wanted.covered);
    const before = hits[place - 1];
    if (before) assert.ok(before.score > score || (before.score === score && before.number > number), 'in order');
  }
  const shown = new Set(hits.map(({ number }) => number));
  const worst = hits.at(-1);
  if (!worst) return;
  for (const [number, { score }] of expected) {
    assert.ok(shown.has(number) || score < worst.score + TOLERANCE, `${number} was passed over`);
    const isTie = score === expected.get(worst.number)!.score;
    if (isTie && score === worst.score) assert.ok(shown.has(number) || number < worst.number, `${number} is higher`);
  }
}

function scoreAll(model: Model, counted: SampleDocument[], request: RankRequest): Map<number, Scored> {
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length || 1;
  const scored = new Map<number, Scored>();
  for (const { forms, weight } of request.words) {
    const terms = [...new Set(forms)];
    const df = terms.reduce((sum, term) => sum + counted.filter((document) => document.terms.has(term)).length, 0);
    const idf = Math.max(1e-6, Math.log(1 + (counted.length - df + 0.5) / (df + 0.5))) ** 1.15;
    for (const document of model.living.values()) {
      const f = Math.min(
        255,
        terms.reduce((sum, term) => sum + (document.terms.get(term) ?? 0), 0),
      );
      if (f === 0 || (request.admitted && !request.admitted[document.number])) continue;
      const norm = 1.2 * (1 - 0.85 + (0.85 * document.length) / average);
      const known = scored.get(document.number) ?? { score: request.bonus?.[document.number] ?? 0, covered: 0 };
      scored.set(document.number, {
        score: known.score + (weight * idf * f * 2.2) / (f + norm),
        covered: known.covered + 1,
      });
    }
  }
  return scored;
}
