// Diffs of any two texts: they lead from one to the other, and say the same as text and as data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import parseDiff from 'parse-diff';
import { diffLines } from '../../src/understand/changes/diff-lines.ts';
import { unifiedDiff } from '../../src/understand/changes/unified-diff.ts';
import { amount, runs, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_261_116);

/** Few different lines, so that many are in both, and some that look like parts of a diff. */
const line = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'b',
    'c',
    '---',
    '-- previous',
    '++ current',
    '@@ -1,1 +1,1 @@',
    '\\ No newline',
    'diff --git',
  ),
  fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
);
const text = fc.array(line, { maxLength: 60 });
/** Many lines that occur once, in another order and with others in between: more changes than the first way allows. */
const longText = fc
  .tuple(fc.integer({ min: 1, max: 97 }), fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1_500, max: 2_600 }))
  .map(([step, gap, length]) =>
    Array.from({ length }, (_, index) => (index % gap === 0 ? `unique ${(index * step) % length}` : `${index % 7}`)),
  );

function check(before: string[], after: string[]): void {
  const edits = diffLines(before, after);
  const rebuilt: string[] = [];
  let [old, now] = [0, 0];
  for (const edit of edits) {
    if ('kept' in edit) {
      assert.deepEqual(before.slice(old, old + edit.kept), after.slice(now, now + edit.kept));
      rebuilt.push(...before.slice(old, old + edit.kept));
      old += edit.kept;
      now += edit.kept;
    } else {
      rebuilt.push(...after.slice(now, now + edit.added));
      old += edit.removed;
      now += edit.added;
    }
  }
  assert.equal(old, before.length);
  assert.deepEqual(rebuilt, after);

  const { text: written, json } = unifiedDiff(before, after, edits);
  const parsed = parseDiff(written);
  const files = parsed.map(({ from, to, chunks }) => ({
    from,
    to,
    chunks: chunks.map(({ content, changes }) => ({ content, changes })),
  }));
  assert.deepEqual(json.files, files);
  const [file] = parsed;
  const added = edits.reduce((sum, edit) => sum + ('added' in edit ? edit.added : 0), 0);
  assert.equal(file!.additions, added);
}

test(`a diff leads from one text to the other, and its two forms agree (seed ${SEED})`, () => {
  fc.assert(fc.property(text, text, check), { seed: SEED, numRuns: runs(500, 10_000) });
});

test(`so does one of texts that differ too much for the shortest diff (seed ${SEED})`, () => {
  fc.assert(fc.property(longText, longText, check), { seed: SEED, numRuns: amount({ short: 2, full: 10, long: 200 }) });
});
