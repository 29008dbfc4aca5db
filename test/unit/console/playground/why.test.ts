// The story of an answer: every step has a sentence, whatever the explanation says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Explanation, explanation } from '../../../../src/contracts/scrape/explanation.ts';
import { findExplanation } from '../../../../web/console/playground/answer/why/find-explanation.ts';
import { storyOf } from '../../../../web/console/playground/answer/why/timeline.ts';

const BASE: Explanation = {
  totalMs: 900,
  stages: [
    { stage: 'cache', ms: 2 },
    { stage: 'fetch', ms: 800 },
  ],
  cache: { state: 'miss', reason: 'The cache had no copy.', isStored: true },
  plan: {
    reason: 'Plain HTTP is the cheapest way.',
    attempts: [
      { engine: 'http', proxy: 'basic' },
      { engine: 'browser', proxy: 'basic', after: ['shell'] },
      { engine: 'chrome-http', proxy: 'stealth', after: ['forbidden'] },
    ],
  },
  attempts: [
    {
      engine: 'http',
      proxy: 'basic',
      outcome: 'shell',
      ms: 100,
      responses: [
        { url: 'https://a.example/', status: 301 },
        { url: 'https://b.example/', status: 200 },
      ],
      bytes: 2_048,
    },
    {
      engine: 'browser',
      proxy: 'basic',
      outcome: 'ok',
      ms: 700,
      responses: [],
      browser: { requests: 12, blocked: 3, steps: [{ step: 'settle', ms: 500 }] },
    },
  ],
  verdict: { kind: 'content', reason: '' },
  content: { selection: 'main-content', reason: 'A trained model chose the blocks.', quality: 0.4 },
  threatProtection: 'passed',
  cost: { credits: 1, items: [{ item: 'page', credits: 1 }] },
};

test('the story goes from the cache to the cost, in the order of events', () => {
  const story = storyOf(explanation.parse(BASE));
  assert.deepEqual(
    story.map(({ id }) => id),
    ['cache', 'plan', 'attempt-0', 'attempt-1', 'policy', 'verdict', 'content', 'time', 'cost'],
  );
  assert.match(
    story[2]!.text,
    /Plain HTTP got an empty shell that needs scripts: 2\.0 KB, after 1 redirect or repeat\./,
  );
  assert.deepEqual(
    story[1]!.details.map(({ text }) => text),
    ['first', 'only after: shell', 'only after: forbidden (not needed)'],
  );
  assert.ok(story[3]!.details.some(({ text }) => text === '12 requests, 3 of them blocked'));
  assert.equal(story.find(({ id }) => id === 'content')?.tone, 'warn');
  for (const { text, title } of story) assert.ok(text.length > 5 && title.length > 2, title);
});

test('a failure has no verdict, and its last attempt says what happened', () => {
  const { verdict: _, content: __, cache: ___, plan: ____, ...rest } = BASE;
  const error = { code: 'SCRAPE_TIMEOUT', message: 'It took too long.' };
  const attempts = [{ engine: 'http', proxy: 'basic' as const, outcome: 'unfinished', ms: 9, responses: [], error }];
  const story = storyOf({ ...rest, attempts, threatProtection: 'refused' });
  assert.deepEqual(story.map(({ tone }) => tone).slice(0, 2), ['bad', 'bad']);
  assert.match(story[0]!.text, /was still running when the time was over: It took too long\./);
});

test('the explanation is found in answers, errors and searches, and nowhere else', () => {
  assert.deepEqual(findExplanation({ answer: { data: { explanation: BASE } } }), { scrape: BASE });
  const error = { body: { details: { explanation: BASE } } } as never;
  assert.deepEqual(findExplanation({ error }), { scrape: BASE });
  assert.deepEqual(findExplanation({ answer: { explain: { providers: [] } } }), { search: { providers: [] } });
  for (const answer of [undefined, null, 'x', { data: [] }, { data: { explanation: 'x' } }])
    assert.equal(findExplanation({ answer }), undefined);
});
