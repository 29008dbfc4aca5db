// What the ranking part of the index should answer, worked out from the documents one by one.
import assert from 'node:assert/strict';
import type { InvertedIndex, Ranking, RankRequest } from '../../src/index/segments/inverted-index.ts';
import type { SampleDocument } from '../unit/index/segments/inverted-index-samples.ts';

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
export function assertRanks(
  invertedIndex: InvertedIndex,
  model: Model,
  unpurged: readonly number[],
  request: RankRequest,
): void {
  const counted = [...model.living.values(), ...unpurged.map((docId) => model.removed.get(docId)!)];
  const expected = scoreAll(model, counted, request);
  const found = invertedIndex.rank(request);
  assert.equal(found.total, expected.size, 'the number of documents that have a word');
  assert.equal(found.hits.length, Math.min(request.depth, expected.size));
  assertHits(found, expected);
}

function assertHits({ hits }: Ranking, expected: Map<number, Scored>): void {
  for (const [place, { docId, score, covered }] of hits.entries()) {
    const wanted = expected.get(docId);
    assert.ok(wanted, `document ${docId} does not fit`);
    assert.ok(Math.abs(score - wanted.score) < TOLERANCE, `${docId} has ${score}, not ${wanted.score}`);
    assert.equal(covered, wanted.covered);
    const before = hits[place - 1];
    if (before) assert.ok(before.score > score || (before.score === score && before.docId > docId), 'in order');
  }
  const shown = new Set(hits.map(({ docId }) => docId));
  const worst = hits.at(-1);
  if (!worst) return;
  for (const [docId, { score }] of expected) {
    assert.ok(shown.has(docId) || score < worst.score + TOLERANCE, `${docId} was passed over`);
    const isTie = score === expected.get(worst.docId)!.score;
    if (isTie && score === worst.score) assert.ok(shown.has(docId) || docId < worst.docId, `${docId} is higher`);
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
      if (f === 0 || (request.filter && !request.filter[document.docId])) continue;
      const norm = 1.2 * (1 - 0.85 + (0.85 * document.length) / average);
      const known = scored.get(document.docId) ?? { score: request.boosts?.[document.docId] ?? 0, covered: 0 };
      scored.set(document.docId, {
        score: known.score + (weight * idf * f * 2.2) / (f + norm),
        covered: known.covered + 1,
      });
    }
  }
  return scored;
}
