// When two texts count as the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasNothingNew, isSamePage } from '../../../../../src/store/encoding/similar-texts.ts';
import { differingBits } from '../../../../../src/text/simhash.ts';
import { nearFingerprint } from '../../../../conformance/job-samples.ts';
import { sampleFingerprint } from '../../../../conformance/samples.ts';
import { runs, seedOr } from '../../../../support/runs.ts';

const SEED = seedOr(20260105);
const fingerprint = sampleFingerprint('text');
const near = (bits: number) => nearFingerprint(fingerprint, bits, `${bits}`);
const page = (isChained: boolean, hasQuery: boolean) => ({
  url: `http://site.test/item/17${hasQuery ? '?from=list' : ''}`,
  fingerprint,
  isChained,
});

test(`differing bits match a count with big integers (seed ${SEED})`, () => {
  const hex = (number: bigint) => number.toString(16).padStart(16, '0');
  const word = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.equal(differingBits(hex(a), hex(b)), [...(a ^ b).toString(2)].filter((bit) => bit === '1').length);
    }),
    { seed: SEED, numRuns: runs(500, 10_000) },
  );
});

test('pages are the same if at most three bits differ', () => {
  assert.deepEqual(
    [0, 3, 4].map((bits) => isSamePage(fingerprint.simhash, near(bits).simhash)),
    [true, true, false],
  );
});

test('identical text counts as known, wherever the page was found', () => {
  for (const isChained of [false, true]) {
    assert.equal(hasNothingNew(page(isChained, false), [sampleFingerprint('other'), fingerprint]), true);
    assert.equal(hasNothingNew(page(isChained, true), [sampleFingerprint('other')]), false);
    assert.equal(hasNothingNew(page(isChained, true), []), false);
  }
});

test('the same words in another order or with other dates count as known only in a chain', () => {
  const sameGist = { ...sampleFingerprint('other'), gist: fingerprint.gist };
  assert.equal(hasNothingNew(page(true, false), [sameGist]), true);
  assert.equal(hasNothingNew(page(false, true), [sameGist]), false);
});

test('similar text counts as known only in a chain of queries, up to six differing bits', () => {
  assert.equal(hasNothingNew(page(true, true), [near(6)]), true);
  assert.equal(hasNothingNew(page(true, true), [near(7)]), false);
  assert.equal(hasNothingNew(page(true, false), [near(1)]), false);
  assert.equal(hasNothingNew(page(false, true), [near(1)]), false);
});

test('a page with a date in its URL counts as known if only its dates changed, wherever it was found', () => {
  const sameGist = [{ ...sampleFingerprint('other'), gist: fingerprint.gist }];
  const at = (path: string) =>
    hasNothingNew({ url: `http://site.test${path}`, fingerprint, isChained: false }, sameGist);
  for (const dated of [
    '/events/2031/04/07',
    '/2031/4',
    '/day/2031-04-07',
    '/d?on=2031-04',
    '/20310407.html',
    '/x_203104',
  ]) {
    assert.equal(at(dated), true, dated);
  }
  for (const undated of [
    '/item/2031',
    '/item/203199',
    '/item/12031/04',
    '/v/2031/13',
    '/model-2031-400',
    '/item/20310',
  ]) {
    assert.equal(at(undated), false, undated);
  }
});
