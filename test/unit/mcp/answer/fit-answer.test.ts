// An answer that exceeds the budget of its client says what is missing, and where it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitAnswer } from '../../../../src/mcp/answer/fit-answer.ts';

const markdown = 'A line of text.\n'.repeat(1_000);
const linksTo = () => [{ uri: 'trawl://scrape/1?offset=100', name: 'rest' }];

test('an answer within the budget is left as it is, without links', () => {
  const answer = { markdown: 'Short.', warning: 'Old.' };
  assert.deepEqual(fitAnswer(answer, { maxAnswer: 1_000, linksTo }), { structured: answer });
});

test('a longer one says how much is shown, where the rest is and how to ask for less', () => {
  const { structured, links } = fitAnswer(
    { markdown, warning: 'The page has no title.' },
    { maxAnswer: 5_000, linksTo, advice: 'Ask for less.' },
  );
  assert.ok(JSON.stringify(structured).length <= 5_000);
  assert.match(
    String(structured.warning),
    /^The page has no title\. This answer was shortened: `markdown` has \d+ of 16000 characters\. Read the rest as the resource trawl:\/\/scrape\/1\?offset=100\. Ask for less\.$/,
  );
  assert.deepEqual(links, linksTo());
});

test('long warnings and hostile names of members do not exceed the budget', () => {
  const hostile = Object.fromEntries(Array.from({ length: 500 }, (_, n) => ['"\u0001'.repeat(100) + n, markdown]));
  const { structured } = fitAnswer({ ...hostile, warning: '\u0001'.repeat(9_000) }, { maxAnswer: 3_000, linksTo });
  assert.ok(JSON.stringify(structured).length <= 3_000);
});
