// POST /v2/answer: what is answered from which pages, as JSON and as events, what it costs, and what keys and ZDR make of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnswerResponse } from '../../src/contracts/answer/answer.ts';
import type { KeyLimits } from '../../src/contracts/team/policy.ts';
import { runtimeProblem } from '../../src/encoders/model-runtime/model-runtime.ts';
import { useSearch } from '../support/search/search.ts';

const NEEDS_READER = { skip: runtimeProblem() ?? false };
const scene = useSearch({}, [
  {
    at: 'museum.test/visit',
    title: 'Visiting the Quillfeather Museum',
    text: 'The Quillfeather Museum opens at 10:30 on weekdays. The collection has 4,182 feathers.',
    isShort: true,
  },
  {
    at: 'town.test/quillfeather',
    title: 'Quillfeather Museum in our town',
    text: 'The Quillfeather Museum opens at 10:30 on weekdays, says the council.',
    isShort: true,
  },
]);
const query = 'When does the Quillfeather Museum open?';

async function send(body: object, key?: string): Promise<{ status: number; body: AnswerResponse }> {
  const response = await scene.service.fetch('/v2/answer', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as AnswerResponse };
}

async function answered(body: object): Promise<AnswerResponse> {
  const { status, body: answer } = await send(body);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
}

const keyWith = async (limits: KeyLimits): Promise<string> =>
  (await scene.service.post<{ data: { key: string } }>('/v2/team/keys', { limits })).body.data.key;

interface Event {
  name: string;
  data: Record<string, unknown>;
}

const eventsOf = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
      return { name, data: JSON.parse(data) };
    });

const stream = (body: object) =>
  scene.service.fetch('/v2/answer', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
  });

describe('POST /v2/answer', () => {
  test('answers with citations that stand in a chunk of a page that was read', NEEDS_READER, async () => {
    const { data, creditsUsed, warning } = await answered({ query });
    assert.match(data.answer!, /10:30.*\[1\]\[2\]$/);
    assert.equal(data.citations.length, 2);
    assert.ok(data.pages.length >= 2);
    assert.match(warning!, /made without a language model/);
    // Search, pages, answer.
    assert.equal(creditsUsed, 2 + data.pages.length + 4);
    const [{ url, chunkId, text }] = data.citations as [AnswerResponse['data']['citations'][number]];
    const { body } = await scene.service.scrape<{ data: { chunks: { id: string; text: string }[] } }>({
      url,
      formats: ['chunks'],
    });
    assert.ok(body.data.chunks.find(({ id }) => id === chunkId)!.text.includes(text));
  });

  test('what no page says is null, and costs the search and the pages', async () => {
    const { data, creditsUsed } = await answered({ query: 'Who painted the Quillfeather Museum?', limit: 1 });
    assert.equal(data.answer, null);
    assert.deepEqual(data.citations, []);
    assert.equal(creditsUsed, 2 + data.pages.length);
    const nothing = await answered({ query: 'zzyzx plover', includeDomains: ['nowhere.test'] });
    assert.deepEqual(nothing.data, { answer: null, citations: [], pages: [] });
    assert.match(nothing.warning!, /found no page/);
  });

  test('pages that cannot be read are named, and others take their place', async () => {
    const { data, warning } = await answered({ query, limit: 10, scrapeOptions: { lockdown: true, maxAge: 1 } });
    assert.equal(data.answer, null);
    assert.match(warning!, /Pages that could not be read: http:\/\/\S+ \(/);
  });

  test('streams what happens, then the answer', async () => {
    const response = await stream({ query, limit: 2 });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type')!, /^text\/event-stream/);
    const events = eventsOf(await response.text());
    assert.deepEqual(
      events.map(({ name, data }) => data.step ?? name),
      ['found', 'read', 'read', 'answering', 'answer'],
    );
    const { success, data } = events.at(-1)!.data as unknown as AnswerResponse;
    assert.ok(success && data.pages.length > 0);
  });

  test('a request that fails before anything was found is answered with its error, also as a stream', async () => {
    const refused = await stream({ query: ' ' });
    assert.equal(refused.status, 400);
    assert.match(refused.headers.get('content-type')!, /json/);
    const late = await stream({ query, timeout: 1 });
    assert.equal(((await late.json()) as { code: string }).code, 'SCRAPE_TIMEOUT');
  });

  test('a client that leaves ends the work, and the service goes on', async () => {
    const leaving = new AbortController();
    const response = await scene.service.fetch('/v2/answer', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, stream: true }),
      signal: leaving.signal,
    });
    const reader = response.body!.getReader();
    await reader.read();
    leaving.abort();
    await reader.read().catch(() => undefined);
    assert.equal((await send({ query, limit: 1 })).status, 200);
  });

  test('a key reads only its domains, and needs the format `question` and the group `search`', async () => {
    const bound = await send({ query }, await keyWith({ domains: ['museum.test'] }));
    assert.equal(bound.status, 200);
    assert.deepEqual(
      bound.body.data.pages.map(({ url }) => new URL(url).hostname),
      ['museum.test'],
    );
    const refused: KeyLimits[] = [{ formats: ['markdown'] }, { operations: ['scrape'] }];
    for (const limits of refused) {
      const { status, body } = await send({ query }, await keyWith(limits));
      assert.equal(status, 403);
      assert.match(JSON.stringify(body), /KEY_RESTRICTED/);
    }
    assert.equal((await send({ query, limit: 1 }, await keyWith({ formats: ['question'] }))).status, 200);
    assert.match(JSON.stringify((await send({ query }, await keyWith({ monthlyCredits: 5 }))).body), /INSUFFICIENT/);
  });

  test('with zero data retention the question is not listed', async () => {
    const asked = (word: string) => `How many ${word} feathers has the Quillfeather Museum?`;
    await answered({ query: asked('blue'), limit: 1, zeroDataRetention: true });
    await answered({ query: asked('red'), limit: 1 });
    const listed = await (await scene.service.fetch('/v2/team/activity')).text();
    assert.ok(listed.includes(asked('red')) && !listed.includes(asked('blue')), listed);
  });

  test('says what is wrong with a request', async () => {
    const wrong: [object, RegExp][] = [
      [{}, /Set `query`/],
      [{ query, limit: 0 }, /limit/],
      [{ query, limit: 11 }, /limit/],
      [{ query, stream: 'yes' }, /stream/],
      [{ query, scrapeOptions: { formats: ['html'] } }, /Leave out `formats`/],
      [{ query, includeDomains: ['a.test'], excludeDomains: ['b.test'] }, /not both/],
    ];
    for (const [body, message] of wrong) {
      const { status, body: answer } = await send(body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(JSON.stringify(answer), message);
    }
  });
});
