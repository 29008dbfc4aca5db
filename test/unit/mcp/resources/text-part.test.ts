// Long texts in parts: whatever the text, the parts follow each other without a gap, and each fits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readPosition, textPart } from '../../../../src/mcp/resources/text-part.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const SEED = seedOr(20_261_116);
const uriAt = (offset: number) => `trawl://scrape/x?offset=${offset}`;
const NOTE = /\n\n\[Characters (\d+) to (\d+) of \d+\. Continue with the resource trawl:\/\/scrape\/x\?offset=(\d+)\]$/;

function readAll(text: string, max: number): string[] {
  const parts: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const part = textPart(text, { offset, max, uriAt });
    assert.ok(part.length <= max);
    const [note, from, , next]: (string | undefined)[] = NOTE.exec(part) ?? [];
    if (note !== undefined) assert.equal(Number(from), offset);
    parts.push(note === undefined ? part : part.slice(0, -note.length));
    offset = next === undefined ? undefined : Number(next);
  }
  return parts;
}

test(`the parts of any text are the text, and no character is torn (seed ${SEED})`, () => {
  const unit = fc.constantFrom('a', 'word ', '\n', '😀', 'é', '# ');
  const texts = fc.array(unit, { maxLength: 3_000 }).map((units) => units.join(''));
  const property = fc.property(texts, fc.integer({ min: 300, max: 1_000 }), (text, max) => {
    const parts = readAll(text, max);
    assert.equal(parts.join(''), text);
    for (const part of parts) assert.ok(part.isWellFormed());
  });
  fc.assert(property, { seed: SEED, numRuns: runs(200, 5_000) });
});

test('a part ends at the end of a line, else of a word, if there is one near', () => {
  const [line] = readAll(`${'x'.repeat(700)} y\n${'z'.repeat(2_000)}`, 1_000);
  assert.ok(line!.endsWith('y\n'));
  const [word] = readAll(`${'x'.repeat(720)} ${'z'.repeat(2_000)}`, 1_000);
  assert.ok(word!.endsWith('x '));
});

test('an offset behind the end, or one that is no number, names nothing', () => {
  assert.throws(() => textPart('short', { offset: 5, max: 1_000, uriAt }), {
    status: 404,
    message: /ends at the offset 5/,
  });
  assert.equal(textPart('', { offset: 0, max: 1_000, uriAt }), '');
  for (const text of ['-1', '1.5', '1e3', ' 1', 'x', '9999999999']) {
    assert.throws(() => readPosition('offset', text), { status: 404 }, text);
  }
  assert.equal(readPosition('offset', undefined), 0);
});
