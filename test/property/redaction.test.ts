import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { REDACTED_ENTITIES, REDACTION_MODES, type ReplaceStyle } from '../../src/contracts/scrape/redaction.ts';
import { findByRules } from '../../src/redact/find-by-rules.ts';
import type { Finding } from '../../src/redact/finding.ts';
import { resolveOverlaps } from '../../src/redact/resolve-overlaps.ts';
import { applyEdits, editsOf, plainView } from '../../src/redact/views/text-view.ts';
import { amount, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_261_116);
const options = { seed: SEED, numRuns: amount({ short: 100, full: 300, long: 10_000 }) };

const pieces = fc.constantFrom(
  ...['jane@example.org', '+49 30 1234567', 'Tel. 030 1234567', '4111 1111 1111 1111', 'DE89 3704 0044 0532 0130 00'],
  ...[
    'password: kX9#mPq2',
    'Anna Müller',
    'Dr. Quux',
    'Lindenstraße 12',
    '10115 Berlin',
    '52.520008, 13.404954',
    'Hamburg',
  ],
  ...[
    '(at)',
    '@',
    '-----BEGIN PRIVATE KEY-----',
    'eyJ',
    '://',
    'a:b@',
    'SSN 219-09-9998',
    '<EMAIL>',
    '***',
    '\n',
    ' ',
    ', ',
  ],
  ...['.', '|', '`', '_', '\ud83d\ude00', '\ud800', 'é', '中', '0', '12', 'The'],
);
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join('')),
  fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(' ')),
);
const modes = fc.constantFrom(...REDACTION_MODES);

const replaced = (text: string, found: Finding[], style: ReplaceStyle): string =>
  applyEdits(text, editsOf(plainView(text), found, style));

test(`findings are inside the text, sorted and disjoint; masks keep the length (seed ${SEED})`, () => {
  fc.assert(
    fc.property(texts, modes, (text, mode) => {
      const found = findByRules(text, { mode });
      let position = 0;
      for (const { start, end } of found) {
        assert.ok(start >= position && end > start && end <= text.length);
        position = end;
      }
      assert.equal(replaced(text, found, 'mask').length, text.length);
    }),
    options,
  );
});

test(`what was replaced by tags is not found again as an address, account or number (seed ${SEED})`, () => {
  fc.assert(
    fc.property(texts, modes, (text, mode) => {
      const entities = ['EMAIL', 'SECRET'] as const;
      const once = replaced(text, findByRules(text, { mode, entities, language: 'en' }), 'tag');
      assert.deepEqual(findByRules(once, { mode, entities, language: 'en' }), [], once);
    }),
    options,
  );
});

test(`resolved overlaps cover every letter and digit that a finding covered (seed ${SEED})`, () => {
  const spans = fc.array(
    fc.record({
      start: fc.integer({ min: -2, max: 60 }),
      length: fc.integer({ min: 0, max: 20 }),
      entity: fc.constantFrom(...REDACTED_ENTITIES),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 50 }), spans, (text, given) => {
      const findings = given.map(({ start, length, ...rest }) => ({
        start,
        end: start + length,
        rule: 'test',
        ...rest,
      }));
      const resolved = resolveOverlaps(text, findings);
      for (let at = 0; at < text.length; at++) {
        const covers = ({ start, end }: { start: number; end: number }) => start <= at && at < end;
        if (/[\p{L}\p{N}]/u.test(text[at]!)) assert.equal(resolved.some(covers), findings.some(covers));
        assert.ok(resolved.filter(covers).length <= 1);
      }
    }),
    options,
  );
});
