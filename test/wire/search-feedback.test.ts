// Feedback on an answer: what it must contain, who may give it, and that it counts once.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { uuidv7 } from '../../src/util/ids.ts';
import { storeSettings } from '../support/engines.ts';
import { MAIN, PROGRAM_ENV } from '../support/program.ts';
import { search } from '../support/search/search.ts';
import { addTeams } from '../support/team-with.ts';
import { useService } from '../support/use-service.ts';

const OLD = '0190a0b0-0000-7000-8000-000000000000';
const UNKNOWN = uuidv7(Date.now());

const scene = useService();

interface Rated {
  success: boolean;
  code?: string;
  error?: string;
  feedbackId: string;
  creditsRefunded: number;
  alreadySubmitted?: boolean;
  feedbackErrorCode?: string;
  details?: { path: (string | number)[] }[];
}

const GOOD = { rating: 'good', valuableSources: [{ url: 'https://example.com/', reason: 'It answers.' }] };
const newSearch = async () => (await search(scene.service, { query: 'harbour' })).id;
const rate = (id: string, body: unknown) => scene.service.post<Rated>(`/v2/search/${id}/feedback`, body);
const rateAny = (body: unknown) => scene.service.post<Rated>('/v2/feedback', body);

test('a search is rated once; a second rating is reported as such', async () => {
  const id = await newSearch();
  const first = await rate(id, GOOD);
  assert.equal(first.status, 200);
  const { feedbackId, ...rest } = first.body;
  assert.deepEqual(rest, { success: true, creditsRefunded: 0, creditsRefundedToday: 0, dailyRefundCap: 0 });
  const second = await rate(id, { rating: 'bad', querySuggestions: 'another' });
  assert.deepEqual(second.body, { ...first.body, alreadySubmitted: true });
  const third = await rateAny({ ...GOOD, endpoint: 'search', jobId: id });
  assert.equal(third.body.alreadySubmitted, true);
});

describe('a rating', () => {
  const missing = { missingContent: [{ topic: 'tides', description: 'None at all.' }] };
  const sources = { valuableSources: [{ url: 'https://example.com/' }] };
  const ACCEPTED: object[] = [
    GOOD,
    { rating: 'partial', ...sources },
    { rating: 'partial', ...missing },
    { rating: 'bad', ...missing },
    { rating: 'bad', querySuggestions: 'x' },
    { ...GOOD, origin: 'js-sdk@4.42.0', integration: null, whatever: 1 },
  ];
  const REFUSED: [body: object, path: string][] = [
    [{}, 'rating'],
    [{ rating: 'superb' }, 'rating'],
    [{ rating: 'good' }, 'rating'],
    [{ rating: 'good', ...missing }, 'rating'],
    [{ rating: 'partial', querySuggestions: 'x' }, 'rating'],
    [{ rating: 'bad', ...sources }, 'rating'],
    [{ rating: 'good', valuableSources: Array(51).fill({ url: 'https://example.com/' }) }, 'valuableSources'],
    [{ rating: 'good', valuableSources: [{ reason: 'x' }] }, 'valuableSources.0.url'],
    [{ rating: 'good', valuableSources: [{ url: 'ftp://example.com/' }] }, 'valuableSources.0.url'],
    [{ rating: 'good', valuableSources: [{ url: 'javascript:alert(1)' }] }, 'valuableSources.0.url'],
    [{ rating: 'bad', missingContent: Array(21).fill({ topic: 'x' }) }, 'missingContent'],
    [{ rating: 'bad', missingContent: [{ topic: '' }] }, 'missingContent.0.topic'],
    [{ rating: 'bad', missingContent: [{ topic: 'x'.repeat(201) }] }, 'missingContent.0.topic'],
    [{ rating: 'bad', querySuggestions: 'x'.repeat(2001) }, 'querySuggestions'],
  ];

  test('is accepted with reasons that fit it', async () => {
    for (const body of ACCEPTED) assert.equal((await rate(await newSearch(), body)).status, 200, JSON.stringify(body));
  });

  test('is refused otherwise', async () => {
    const id = await newSearch();
    for (const [body, path] of REFUSED) {
      const answer = await rate(id, body);
      assert.deepEqual([answer.status, answer.body.success], [400, false], JSON.stringify(body));
      assert.equal(answer.body.details![0]!.path.join('.'), path);
    }
    assert.equal((await rate(id, GOOD)).body.alreadySubmitted, undefined);
  });
});

test('scrapes are rated by the general endpoint, with more fields', async () => {
  const { body } = await scene.service.scrape<{ data: { metadata: { scrapeId: string } } }>({
    url: scene.web.url('news.test', '/article/1'),
  });
  const jobId = body.data.metadata.scrapeId;
  const rating = {
    endpoint: 'scrape',
    jobId,
    rating: 'bad',
    issues: ['missing-table'],
    tags: ['tables'],
    note: 'The table.',
    pageNumbers: [1],
    url: 'https://example.com/',
    metadata: { a: 1 },
  };
  const REFUSED: [change: object, path: string][] = [
    [{ endpoint: 'crawl' }, 'endpoint'],
    [{ jobId: undefined }, 'jobId'],
    [{ issues: ['Missing Table'] }, 'issues.0'],
    [{ tags: Array(21).fill('x') }, 'tags'],
    [{ note: 'x'.repeat(4001) }, 'note'],
    [{ pageNumbers: [0] }, 'pageNumbers.0'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ metadata: { a: 'x'.repeat(8200) } }, 'metadata'],
  ];
  for (const [change, path] of REFUSED) {
    const answer = await rateAny({ ...rating, ...change });
    assert.equal(answer.status, 400, JSON.stringify(change));
    assert.equal(answer.body.details![0]!.path.join('.'), path);
  }
  const { status, body: rated } = await rateAny(rating);
  assert.deepEqual([status, rated.success, rated.creditsRefunded], [200, true, 0]);
});

test('a request that does not exist, or is of another kind or team, cannot be rated', async () => {
  const id = await newSearch();
  assert.deepEqual((await rate('mine', GOOD)).status, 400);
  const unknown = await rate(UNKNOWN, GOOD);
  const error = 'There is no search with this ID to rate. Check the ID.';
  assert.deepEqual(
    [unknown.status, unknown.body],
    [404, { success: false, code: 'SEARCH_NOT_FOUND', error, feedbackErrorCode: 'SEARCH_NOT_FOUND' }],
  );
  assert.equal((await rateAny({ ...GOOD, endpoint: 'search', jobId: UNKNOWN })).body.code, 'SEARCH_NOT_FOUND');
  for (const endpoint of ['map', 'scrape', 'parse']) {
    const { status, body } = await rateAny({ ...GOOD, endpoint, jobId: id });
    assert.deepEqual([status, body.feedbackErrorCode], [404, 'JOB_NOT_FOUND'], endpoint);
  }

  const env = { ...PROGRAM_ENV, ...(await storeSettings(scene.service.dataDir)) };
  const printed = execFileSync(process.execPath, [MAIN, 'keys', 'add', '--team', 'others'], { env, encoding: 'utf8' });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${/fc-[\w-]+/.exec(printed)![0]}` };
  const response = await scene.service.fetch(`/v2/search/${id}/feedback`, {
    method: 'POST',
    headers,
    body: JSON.stringify(GOOD),
  });
  assert.equal(response.status, 404);
  assert.equal((await rate(id, GOOD)).body.alreadySubmitted, undefined);
});

test('a request that is older than a day can no longer be rated', async () => {
  const { status, body } = await rate(OLD, GOOD);
  const { success, error, ...codes } = body;
  assert.deepEqual([status, success], [409, false]);
  assert.match(error!, /24 hours/);
  assert.deepEqual(codes, { code: 'FEEDBACK_WINDOW_EXPIRED', feedbackErrorCode: 'FEEDBACK_WINDOW_EXPIRED' });
});

test('a team that stores nothing cannot rate', async () => {
  const [key] = await addTeams(scene.service.dataDir, [{ name: 'silent', settings: { zeroDataRetention: 'forced' } }]);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const init = { method: 'POST', headers, body: JSON.stringify(GOOD) };
  const response = await scene.service.fetch(`/v2/search/${UNKNOWN}/feedback`, init);
  const { code, feedbackErrorCode } = (await response.json()) as Rated;
  assert.deepEqual([response.status, code, feedbackErrorCode], [403, 'TEAM_OPTED_OUT', 'TEAM_OPTED_OUT']);
});
