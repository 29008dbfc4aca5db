// What may be sent to create or change a monitor: defaults, bounds, and fields that null clears.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { createMonitorRequest, updateMonitorRequest } from '../../../../src/contracts/monitor/monitor.ts';
import { validate } from '../../../../src/contracts/validate/validate.ts';

const SCRAPE = { type: 'scrape', urls: ['https://site.test/'] };
const BODY = { name: 'Prices', schedule: { text: 'hourly' }, targets: [SCRAPE] };

const create = (more: object = {}) => validate(createMonitorRequest, { ...BODY, ...more });
const createWith = (target: object) => create({ targets: [target] }).targets[0]!;
const update = (body: object) => validate(updateMonitorRequest, body);

function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'BAD_REQUEST');
    return error.message;
  }
  return 'accepted';
}

test('a monitor has defaults, and unknown keys are ignored', () => {
  const made = create({ slack: true, goal: null, notification: { email: {}, slack: {} }, origin: 'js-sdk@4.42.0' });
  assert.equal(made.retentionDays, 30);
  assert.deepEqual(made.schedule, { text: 'hourly', timezone: 'UTC' });
  assert.deepEqual(made.notification, { email: { enabled: false, recipients: [], includeDiffs: false } });
  assert.equal(made.goal, undefined);
  assert.ok(!('slack' in made));
});

test('a scrape target takes one url or several, fetches anew, and always has Markdown', () => {
  const target = createWith({ type: 'scrape', url: 'https://a.test', urls: ['https://b.test', 'https://a.test'] });
  assert.ok(target.type === 'scrape');
  assert.deepEqual(target.urls, ['https://b.test', 'https://a.test']);
  assert.deepEqual([target.scrapeOptions.maxAge, target.scrapeOptions.formats], [0, [{ type: 'markdown' }]]);
  const tracked = createWith({ ...SCRAPE, scrapeOptions: { formats: ['changeTracking', 'links'], maxAge: 60_000 } });
  assert.ok(tracked.type === 'scrape');
  const types = tracked.scrapeOptions.formats.map(({ type }) => type);
  assert.deepEqual([types, tracked.scrapeOptions.maxAge], [['markdown', 'changeTracking', 'links'], 60_000]);
});

test('crawl and search targets have the defaults of the contract', () => {
  const crawl = createWith({ type: 'crawl', url: 'https://a.test', crawlOptions: { limit: 5 } });
  assert.ok(crawl.type === 'crawl');
  assert.deepEqual([crawl.crawlOptions.limit, crawl.crawlOptions.sitemap], [5, 'include']);
  assert.equal(crawl.scrapeOptions.maxAge, 0);
  assert.deepEqual(createWith({ type: 'search', queries: ['a'] }), {
    ...{ type: 'search', queries: ['a'], searchWindow: '24h', maxResults: 10, includeDomains: [], excludeDomains: [] },
  });
});

const search = (more: object) => ({ targets: [{ type: 'search', queries: ['a'], ...more }] });
const many = <T>(count: number, entry: T): T[] => Array.from({ length: count }, () => entry);

const REFUSED: Record<string, [object, RegExp]> = {
  'no name': [{ name: null }, /Set `name`/],
  'an empty name': [{ name: '' }, /`name` must not be empty/],
  'a name of 257 characters': [{ name: 'x'.repeat(257) }, /256/],
  'no schedule': [{ schedule: null }, /Set `schedule`/],
  'two kinds of schedule': [{ schedule: { cron: '0 * * * *', text: 'hourly' } }, /either/],
  'an empty schedule': [{ schedule: { timezone: 'UTC' } }, /either/],
  'a schedule of 129 characters': [{ schedule: { text: 'x'.repeat(129) } }, /128/],
  'no target': [{ targets: [] }, /targets/],
  '51 targets': [{ targets: many(51, SCRAPE) }, /50/],
  'a target without a type': [{ targets: [{ urls: ['https://a.test'] }] }, /scrape, crawl, search/],
  'a scrape target without a URL': [{ targets: [{ type: 'scrape' }] }, /needs `urls`/],
  'a scrape target with an empty list': [{ targets: [{ type: 'scrape', urls: [] }] }, /urls/],
  'a crawl target without a URL': [{ targets: [{ type: 'crawl' }] }, /needs `url`/],
  'a target id that is no UUID': [{ targets: [{ ...SCRAPE, id: '7' }] }, /UUID/],
  'two targets with one id': [
    { targets: many(2, { ...SCRAPE, id: '00000000-0000-4000-8000-000000000001' }) },
    /same `id`/,
  ],
  'json and deterministicJson': [
    { targets: [{ ...SCRAPE, scrapeOptions: { formats: ['json', 'deterministicJson'] } }] },
    /not both/,
  ],
  'rawBase64, which has no Markdown': [
    { targets: [{ ...SCRAPE, scrapeOptions: { formats: ['rawBase64'] } }] },
    /rawBase64/,
  ],
  'no query': [search({ queries: [] }), /queries/],
  '13 queries': [search({ queries: many(13, 'a') }), /12/],
  'an empty query': [search({ queries: [' '] }), /empty/],
  'a query of 257 characters': [search({ queries: ['x'.repeat(257)] }), /256/],
  'an unknown window': [search({ searchWindow: '2h' }), /searchWindow/],
  '51 results': [search({ maxResults: 51 }), /50/],
  '51 domains': [search({ includeDomains: many(51, 'a.test') }), /50/],
  'domains to include and to exclude': [search({ includeDomains: ['a.test'], excludeDomains: ['b.test'] }), /not both/],
  'an event of crawls': [{ webhook: { url: 'https://a.test', events: ['failed'] } }, /monitor\.page/],
  'a webhook without a URL': [{ webhook: { headers: {} } }, /url/],
  '26 recipients': [{ notification: { email: { recipients: many(26, 'a@site.test') } } }, /25/],
  'a recipient without an address': [{ notification: { email: { recipients: ['site.test'] } } }, /e-mail address/],
  'no day of retention': [{ retentionDays: 0 }, /retentionDays/],
  '366 days of retention': [{ retentionDays: 366 }, /365/],
  'a goal of 2001 characters': [{ goal: 'x'.repeat(2_001) }, /2000/],
};

for (const [what, [more, message]] of Object.entries(REFUSED)) {
  test(`a monitor with ${what} is refused`, () => {
    assert.match(
      refusal(() => create(more)),
      message,
    );
  });
}

test('in a PATCH null clears webhook, notification and goal, and counts as absent elsewhere', () => {
  assert.deepEqual(update({ webhook: null, notification: null, goal: null, name: null, targets: null }), {
    ...{ webhook: null, notification: null, goal: null, zeroDataRetention: false },
  });
  assert.deepEqual(update({ status: 'paused' }), { status: 'paused', zeroDataRetention: false });
});

for (const body of [{}, { origin: 'api' }, { name: null }, { unknown: 1 }]) {
  test(`a PATCH that changes nothing is refused: ${JSON.stringify(body)}`, () => {
    assert.match(
      refusal(() => update(body)),
      /at least one field/,
    );
  });
}

test('a PATCH is bound like a new monitor', () => {
  assert.match(
    refusal(() => update({ status: 'deleted' })),
    /status/,
  );
  assert.match(
    refusal(() => update({ retentionDays: 366 })),
    /365/,
  );
  assert.match(
    refusal(() => update({ targets: [] })),
    /targets/,
  );
});
