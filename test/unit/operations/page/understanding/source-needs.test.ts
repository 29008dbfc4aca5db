// How much of a page goes to those who make formats of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrapeRequest } from '../../../../../src/contracts/scrape/scrape.ts';
import { sourceNeeds } from '../../../../../src/operations/page/understanding/understand-page.ts';

const needsOf = (options: object) => sourceNeeds(scrapeRequest.parse({ url: 'https://site.test/', ...options }));

test('formats of a page read its beginning', () => {
  assert.deepEqual(needsOf({ formats: ['question'].map((type) => ({ type, question: 'Who?' })) }), { start: true });
  assert.deepEqual(needsOf({ formats: ['summary'] }), { start: true, data: true });
  assert.equal(needsOf({ formats: ['markdown'] }), undefined);
});

test('what compares, redacts, checks or cleans a page reads all of it', () => {
  const readers = [
    { formats: ['summary', 'markdown', 'changeTracking'] },
    { formats: ['summary'], redactPII: true },
    { formats: ['summary'], checkPromptInjection: true },
    { formats: ['summary'], onlyCleanContent: true },
  ];
  for (const options of readers) assert.equal(needsOf(options)?.start, undefined, JSON.stringify(options));
});
