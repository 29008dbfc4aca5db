// The ranking that the inverted index should return, computed doc by doc.
import assert from 'node:assert/strict';
import type { InvertedIndex, Ranking, RankRequest } from '../../src/index/segments/inverted-index.ts';
import type { SampleDoc } from '../unit/index/segments/inverted-index-samples.ts';

export interface Model {
  readonly living: ReadonlyMap<number, SampleDoc>;
  /** Removed docs, some of them already purged. */
  readonly removed: ReadonlyMap<number, SampleDoc>;
}

interface Scored {
  score: number;
  covered: number;
}

/** Sums of the same numbers in another order may differ in the last digits. */
const TOLERANCE = 1e-9;

/** `unpurged`: the removed docs that still count in the statistics. */
export function assertRanks(
  invertedIndex: InvertedIndex,
  model: Model,
  unpurged: readonly number[],
  request: RankRequest,
): void {
  const counted = [...model.living.values(), ...unpurged.map((docId) => model.removed.get(docId)!)];
  const expected = scoreAll(model, counted, request);
  const found = invertedIndex.rank(request);
  assert.equal(found.total, expected.size, 'the number of docs that contain a word');
  assert.equal(found.hits.length, Math.min(request.depth, expected.size));
  assertHits(found, expected);
}

function assertHits({ hits }: Ranking, expected: Map<number, Scored>): void {
  for (const [position, { docId, score, covered }] of hits.entries()) {
    const wanted = expected.get(docId);
    assert.ok(wanted, `doc ${docId} does not match`);
    assert.ok(Math.abs(score - wanted.score) < TOLERANCE, `doc ${docId} has score ${score}, not ${wanted.score}`);
    assert.equal(covered, wanted.covered);
    const before = hits[position - 1];
    if (before)
      assert.ok(before.score > score || (before.score === score && before.docId > docId), 'hits are in order');
  }
  const shown = new Set(hits.map(({ docId }) => docId));
  const worst = hits.at(-1);
  if (!worst) return;
  for (const [docId, { score }] of expected) {
    assert.ok(shown.has(docId) || score < worst.score + TOLERANCE, `doc ${docId} is missing from the hits`);
    const isTie = score === expected.get(worst.docId)!.score;
    if (isTie && score === worst.score)
      assert.ok(shown.has(docId) || docId < worst.docId, `doc ${docId} should win the tie`);
  }
}

function scoreAll(model: Model, counted: SampleDoc[], request: RankRequest): Map<number, Scored> {
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length || 1;
  const scored = new Map<number, Scored>();
  for (const { forms, weight } of request.words) {
    const terms = [...new Set(forms)];
    const df = terms.reduce((sum, term) => sum + counted.filter((doc) => doc.terms.has(term)).length, 0);
    const idf = Math.max(1e-6, Math.log(1 + (counted.length - df + 0.5) / (df + 0.5))) ** 1.15;
    for (const doc of model.living.values()) {
      const f = Math.min(
        255,
        terms.reduce((sum, term) => sum + (doc.terms.get(term) ?? 0), 0),
      );
      if (f === 0 || (request.filter && !request.filter[doc.docId])) continue;
      const norm = 1.2 * (1 - 0.85 + (0.85 * doc.length) / average);
      const known = scored.get(doc.docId) ?? { score: request.boosts?.[doc.docId] ?? 0, covered: 0 };
      scored.set(doc.docId, {
        score: known.score + (weight * idf * f * 2.2) / (f + norm),
        covered: known.covered + 1,
      });
    }
  }
  return scored;
}
