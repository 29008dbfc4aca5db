// Noise and changes of pages are told apart by rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeByRules } from '../../../../../src/understand/changes/rules/judge-by-rules.ts';

const page = (...lines: string[]): string =>
  ['# Garden tools', '', ...lines, '', '## Delivery', '', 'We deliver in three days.'].join('\n');
const judge = (before: string[], after: string[], goal?: string) =>
  judgeByRules({ markdown: { before: page(...before), after: page(...after) }, ...(goal !== undefined && { goal }) });

const NOISE: [name: string, before: string[], after: string[]][] = [
  ['an age', ['Posted 3 hours ago by Ann'], ['Posted yesterday by Ann']],
  ['an age in German', ['Kommentar vor 3 Stunden'], ['Kommentar vor 2 Tagen']],
  ['a time stamp', ['Last updated: 12 March 2026, 10:45 UTC'], ['Last updated: 13 March 2026, 09:01 UTC']],
  ['a time stamp below its label', ['Last updated', '', 'March 12, 2026'], ['Last updated', '', 'March 14, 2026']],
  ['a number of views', ['A spade. 1,204 views'], ['A spade. 1,377 views']],
  ['counters with their label first', ['Views: 1204 | Likes: 33'], ['Views: 1377 | Likes: 35']],
  ['one comment more', ['1 comment'], ['2 comments']],
  ['a number of reviews', ['★★★★☆ 4.4 out of 5 (218 reviews)'], ['★★★★☆ 4.5 out of 5 (223 reviews)']],
  ['people who look at it', ['17 people are viewing this right now'], ['4 people are viewing this right now']],
  [
    'a community that grows',
    ['Join 12,400 gardeners and 3,100 active users'],
    ['Join 12,400 gardeners and 3,188 active users'],
  ],
  [
    'the year of a copyright',
    ['© 2019-2025 Garden Ltd. All rights reserved.'],
    ['© 2019-2026 Garden Ltd. All rights reserved.'],
  ],
  ['a cache buster', ['![Spade](https://cdn.test/spade.jpg?v=1731)'], ['![Spade](https://cdn.test/spade.jpg?v=1742)']],
  ['the fingerprint of a file', ['[Guide](/files/guide.3f9a1c2b.pdf)'], ['[Guide](/files/guide.9d8e7f6a.pdf)']],
  [
    'a session in a link',
    ['[Basket](/basket;jsessionid=8A7B6C5D?sid=123)'],
    ['[Basket](/basket;jsessionid=11FFE2?sid=99)'],
  ],
  ['a request ID', ['Request ID: 8f3a9c1b77'], ['Request ID: 0b1c2d3e4f']],
  [
    'an advertisement',
    ['Advertisement', '', '[Buy our boots](https://boots.test)'],
    ['Advertisement', '', '[Fly to Rome](https://fly.test)'],
  ],
  ['a sponsored section', ['## Sponsored', '', '- [A](/a)', '- [B](/b)'], ['## Sponsored', '', '- [C](/c)']],
  [
    'recommendations',
    ['## You might also like', '', '### [Rake](/rake)', '', '$12', ''],
    ['## You might also like', '', '### [Hoe](/hoe)', '', '$19', ''],
  ],
  [
    'what is trending',
    ['**Trending now**', '', '- [One](/1)', '- [Two](/2)'],
    ['**Trending now**', '', '- [Three](/3)', '- [One](/1)'],
  ],
  ['another order', ['- Rake', '- Hoe', '- Spade'], ['- Spade', '- Rake', '- Hoe']],
  ['another order of rows', ['| Rake | $12 |', '| Hoe | $9 |'], ['| Hoe | $9 |', '| Rake | $12 |']],
  ['another order in a line', ['Tags: soil, water, seeds'], ['Tags: seeds, soil, water']],
  ['formatting', ['**Free** delivery – always', '* one'], ['Free delivery - *always*', '- one']],
  ['line breaks', ['A long sentence', 'about soil.'], ['A long sentence about soil.']],
  ['a countdown', ['Sale ends in 2 days 4 hours'], ['Sale ends in 1 day 23 hours']],
  ['the time to read', ['5 min read'], ['6 min read']],
  ['how fast it was made', ['Page generated in 0.034 seconds'], ['Page generated in 0.112 seconds']],
  ['a notice about cookies', ['We use cookies to improve this site.', '', 'Accept all'], []],
  ['a quote of the day', ['## Quote of the day', '', 'Dig deep.'], ['## Quote of the day', '', 'Water early.']],
  [
    'a number of pages',
    ['Page 1 of 12', '', 'Showing 1-20 of 231 results'],
    ['Page 1 of 13', '', 'Showing 1-20 of 247 results'],
  ],
];

const REAL: [name: string, before: string[], after: string[]][] = [
  ['a price', ['Spade: $24.99'], ['Spade: $21.99']],
  ['a price in euros', ['Spaten 24,99 €'], ['Spaten 29,99 €']],
  ['availability', ['In stock'], ['Out of stock']],
  ['availability in a line', ['Spade, steel. In stock. 12 reviews'], ['Spade, steel. Sold out. 13 reviews']],
  ['the date of an event', ['Workshop: 12 March 2026, 18:00'], ['Workshop: 19 March 2026, 18:00']],
  [
    'the date of an event on its own line',
    ['## Spring workshop', '', '12 March 2026', '', 'In the big hall.'],
    ['## Spring workshop', '', '19 March 2026', '', 'In the big hall.'],
  ],
  ['opening hours', ['Open 9:00 to 17:00'], ['Open 10:00 to 16:00']],
  ['a version', ['Latest release: v2.4.1'], ['Latest release: v2.5.0']],
  ['one word of a policy', ['You may return goods within 30 days.'], ['You may return goods within 14 days.']],
  ['a word that turns the sense', ['We do not share your data.'], ['We do share your data.']],
  ['a new item', ['- Rake', '- Hoe'], ['- Rake', '- Hoe', '- Spade']],
  ['an item less', ['- Rake', '- Hoe'], ['- Rake']],
  ['a new item among reordered ones', ['- Rake', '- Hoe'], ['- Hoe', '- Wheelbarrow', '- Rake']],
  ['the limits of a plan', ['Up to 10,000 page views per month'], ['Up to 5,000 page views per month']],
  ['users of a plan', ['Includes 5 users'], ['Includes 3 users']],
  ['where a link leads', ['[Download](/files/tool-1.2.zip)'], ['[Download](/files/tool-1.3.zip)']],
  ['the order of steps', ['1. Dig', '2. Water'], ['1. Water', '2. Dig']],
  ['a checksum', ['SHA256: 9f86d081884c7d659a2feaa0c55ad015'], ['SHA256: 60303ae22b998861bce3b28f33eec1be']],
  ['a phone number', ['Call 555 0100'], ['Call 555 0199']],
  ['a price beside noise', ['$24.99', '', '1,204 views'], ['$22.99', '', '1,377 views']],
  ['a person', ['Chair: Ann Smith'], ['Chair: Bob Jones']],
  ['a position that is filled', ['- Gardener (full time)', '- Driver'], ['- Driver']],
  ['a date of validity', ['Effective date: 1 January 2026'], ['Effective date: 1 June 2026']],
  ['a status', ['All systems operational'], ['Partial outage of payments']],
];

for (const [name, before, after] of NOISE) {
  test(`noise: ${name}`, () => {
    const judgment = judge(before, after);
    assert.equal(judgment.meaningful, false, JSON.stringify(judgment));
    assert.deepEqual(judgment.meaningfulChanges, []);
  });
}

for (const [name, before, after] of REAL) {
  test(`a change: ${name}`, () => {
    const judgment = judge(before, after);
    assert.equal(judgment.meaningful, true, JSON.stringify(judgment));
    assert.ok(judgment.meaningfulChanges.length > 0);
    // The other way round, too.
    assert.equal(judge(after, before).meaningful, true);
  });
}

test('a goal may ask for what is noise otherwise, and ignore what is not', () => {
  const views = [['1,204 downloads'], ['1,377 downloads']] as const;
  assert.equal(judge([...views[0]], [...views[1]], 'Tell me when the number of downloads grows').meaningful, true);
  assert.equal(judge([...views[0]], [...views[1]], 'New tools. Ignore downloads and dates.').meaningful, false);
  assert.equal(judge(['Spade: $24.99'], ['Spade: $21.99'], 'New tools. Ignore prices of the spade.').meaningful, false);
});

test('the day on which a page is read is no change, but another date is', () => {
  const versions = (before: string, after: string) => ({ markdown: { before: page(before), after: page(after) } });
  const readAt = { before: Date.UTC(2026, 2, 12, 9), after: Date.UTC(2026, 2, 14, 9) };
  const today = versions('Prices for Thursday, 12 March 2026', 'Prices for Saturday, 14 March 2026');
  assert.equal(judgeByRules({ ...today, readAt }).meaningful, false);
  assert.equal(judgeByRules(today).meaningful, true);
  const event = versions('Fair on 12 April 2026', 'Fair on 14 April 2026');
  assert.equal(judgeByRules({ ...event, readAt }).meaningful, true);
});

test('data is compared by its elements', () => {
  const plans = [
    { name: 'Basic', price: 10 },
    { name: 'Pro', price: 20 },
  ];
  const judged = (before: unknown, after: unknown) => judgeByRules({ json: { before, after } });
  assert.equal(judged({ plans }, { plans: plans.toReversed() }).meaningful, false);
  const dearer = judged({ plans, views: 12 }, { plans: [plans[0], { name: 'Pro', price: 25 }], views: 99 });
  assert.deepEqual(dearer.meaningfulChanges, [
    {
      type: 'changed',
      before: 'plans[name=Pro].price: 20',
      after: 'plans[name=Pro].price: 25',
      reason: '`plans[name=Pro].price` has changed.',
    },
  ]);
  const volatile = { updatedAt: '2026-03-12', viewCount: 3, age: '2 hours ago' };
  assert.equal(judged(volatile, { updatedAt: '2026-03-14', viewCount: 5, age: '3 days ago' }).meaningful, false);
  assert.equal(judged({ date: '2026-03-12' }, { date: '2026-03-14' }).meaningful, true);
  assert.equal(judged({ items: [1, 2] }, { items: [2, 1, 3] }).meaningful, true);
});

test('hostile texts take bounded time', () => {
  const lines = [
    '1 '.repeat(20_000),
    'a: '.repeat(20_000),
    '['.repeat(30_000),
    '![]('.repeat(10_000),
    'vor '.repeat(10_000),
    '12:'.repeat(10_000),
    '-'.repeat(30_000),
    'updated '.repeat(10_000),
    '©'.repeat(20_000),
    '1.'.repeat(20_000),
    '<a '.repeat(10_000),
    'a-1'.repeat(10_000),
    '1 day '.repeat(10_000),
  ];
  const before = lines.join('\n');
  const after = lines.map((line) => `x${line}`).join('\n');
  assert.equal(judgeByRules({ markdown: { before, after } }).meaningful, true);
});

test('a line of very many words is judged', () => {
  const { meaningful } = judge(['ab. '.repeat(150_000)], ['cd. '.repeat(150_000)]);
  assert.equal(meaningful, true);
});
