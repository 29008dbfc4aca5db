// What must not change when the code behind it does: the answer to a good and to a bad request for every route, of every
// format, and to every tool of the MCP server, and what all of them leave in the ledger and in the audit log. The answers are in
// the golden files beside this one; `TRAWL_RECORD=1 node scripts/test.ts test/recorded` writes them anew.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { type CallToolResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FormatType } from '../../src/contracts/formats/format-traits.ts';
import { FORMAT_TYPES, type Format } from '../../src/contracts/formats/formats.ts';
import { PLANNED_ROUTES } from '../../src/contracts/planned-routes.ts';
import { type OperationId, ROUTES, type Route } from '../../src/contracts/routes.ts';
import { newModernClient } from '../support/mcp.ts';
import { answerOf, badRequest } from './answer.ts';
import { CALLS } from './calls.ts';
import { compareWithGolden } from './golden.ts';
import { type RecordedScene, startRecordedScene } from './scene.ts';
import { shownResult, TOOL_CALLS } from './tools.ts';

let scene: RecordedScene;
before(async () => {
  scene = await startRecordedScene();
});
after(() => scene?.remove());

test('every route answers a good and a bad request as recorded', async () => {
  const missing = Object.keys(ROUTES).filter((id) => !(id in CALLS));
  assert.deepEqual(missing, [], 'test/recorded/calls.ts has no request for these routes');
  const answers = new Map<string, unknown>();
  for (const [id, { good, bad, settle, shows }] of Object.entries(CALLS) as [
    OperationId,
    (typeof CALLS)[OperationId],
  ][]) {
    const route: Route = ROUTES[id];
    const name = `${route.method} ${route.path} (${id})`;
    const answer = await scene.send(id, await good(scene));
    answers.set(`${name}: good`, answerOf(scene, answer, shows));
    await settle?.(scene, answer);
    answers.set(`${name}: bad`, answerOf(scene, await scene.send(id, bad?.(scene) ?? badRequest(route))));
  }
  compareWithGolden('answers', answers);
});

const FORMATS = {
  markdown: { type: 'markdown' },
  html: { type: 'html' },
  rawHtml: { type: 'rawHtml' },
  rawBase64: { type: 'rawBase64' },
  links: { type: 'links' },
  images: { type: 'images' },
  attributes: { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] },
  chunks: { type: 'chunks' },
  summary: { type: 'summary' },
  json: { type: 'json', schema: { type: 'object', properties: { title: { type: 'string' } } } },
  deterministicJson: {
    type: 'deterministicJson',
    schema: { type: 'object', properties: { title: { type: 'string' } } },
  },
  question: { type: 'question', question: 'How high is the lighthouse?' },
  highlights: { type: 'highlights', query: 'the lamp' },
  query: { type: 'query', prompt: 'How high is the lighthouse?', mode: 'directQuote' },
  changeTracking: { type: 'changeTracking', modes: ['git-diff'], tag: 'formats' },
  screenshot: { type: 'screenshot', fullPage: true },
  branding: { type: 'branding' },
  product: { type: 'product' },
  menu: { type: 'menu' },
  knowledgeGraph: { type: 'knowledgeGraph' },
  audio: { type: 'audio' },
  video: { type: 'video' },
} satisfies { [Type in FormatType]: Partial<Format> & { type: Type } };
const AS_TEXTS = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'summary',
  'json',
  'changeTracking',
  'product',
  'menu',
];
const PAGES: Partial<Record<FormatType, string>> = { product: '/product', menu: '/menu' };

test('every format of a page is answered as recorded', async () => {
  const answers = new Map<string, unknown>();
  const usual: [string, string][] = [];
  const record = async (name: string, path: string, formats: unknown[]) => {
    const answer = await scene.send('scrape', { body: { url: scene.page(path), formats } });
    const { metadata } = answer.body.data ?? {};
    if (usual.length === 0) usual.push(...told(metadata));
    // The metadata of the page are recorded once; with each format, those that come with it.
    if (metadata) answer.body.data.metadata = withoutUsual(metadata, usual);
    answers.set(name, answerOf(scene, answer));
  };
  await record('none', '/article', []);
  for (const type of FORMAT_TYPES) {
    const beside = type === 'changeTracking' ? ['markdown'] : [];
    await record(type, PAGES[type] ?? '/article', [...beside, FORMATS[type]]);
  }
  await record('all that are made without a browser, as texts', '/article', AS_TEXTS);
  compareWithGolden('formats', answers);
});

const told = (metadata: object): [string, string][] =>
  Object.entries(metadata).map(([key, value]) => [key, JSON.stringify(value)]);

function withoutUsual(metadata: object, usual: readonly [string, string][]): object {
  const known = new Map(usual);
  return Object.fromEntries(
    Object.entries(metadata).filter(([key, value]) => known.get(key) !== JSON.stringify(value)),
  );
}

const PREFLIGHT = { origin: 'https://console.example', 'access-control-request-method': 'POST' };

test('what stands beside the routes is answered as recorded', async () => {
  const answers = new Map<string, unknown>();
  const record = async (
    name: string,
    method: string,
    path: string,
    sent: Parameters<RecordedScene['sendTo']>[2] = {},
  ) => {
    const answer = await scene.sendTo(method, path, sent);
    answers.set(name, answerOf(scene, answer));
    return answer.body;
  };
  const url = scene.page('/article');
  const scrape = (name: string, body: object, sent: object = {}) =>
    record(name, 'POST', '/v2/scrape', { body: { url, ...body }, ...sent });
  const json = { 'content-type': 'application/json' };
  await record('a body that is not JSON', 'POST', '/v2/scrape', { body: '{"url":', headers: json });
  await record('a body that is a list', 'POST', '/v2/scrape', { body: [] });
  await record('a body of another type', 'POST', '/v2/scrape', {
    body: 'url',
    headers: { 'content-type': 'text/plain' },
  });
  await record('a wrong key', 'GET', '/v2/me', { headers: { authorization: 'Bearer fc-wrong' } });
  await record('an unknown path', 'GET', '/v2/nothing');
  await record('a path of version 0', 'POST', '/v0/scrape', { body: {} });
  await record('a method that the path does not have', 'PUT', '/v2/scrape');
  await record('a preflight', 'OPTIONS', '/v2/scrape', { headers: PREFLIGHT, key: false });
  await scrape('a scrape without a key', {}, { key: false });
  await scrape('a scrape from the cache', { maxAge: 600_000 });
  await scrape('a scrape without a trace', { zeroDataRetention: true });
  await scrape('a scrape of a page that is missing', { url: scene.page('/missing') });
  await scrape('a scrape of a forbidden address', { url: 'http://10.0.0.1/' });
  await scrape('a scrape of a blocked domain', { url: scene.web.url('blocked.test') });
  await scrape('a scrape of an unknown host', { url: 'http://nothing.invalid/' });
  await scrape('a scrape of a text that is no URL', { url: 'not a url at all' });
  await scrape('a scrape with formats that exclude each other', {
    formats: ['rawBase64', 'markdown', 'changeTracking'],
  });
  await scrape('a scrape with redaction', { redactPII: { mode: 'fast' } });
  await scrape('a scrape with an explanation', { explain: true, maxAge: 0 });
  await scrape('a scrape with null and unknown keys', { waitFor: null, unknown: 1, formats: null });
  await record('a file that was uploaded before', 'POST', '/v2/parse', { body: { uploadRef: scene.ids.uploadRef } });
  const limits = { operations: ['map'], domains: ['harbour.test'] };
  const { data: made } = await record('a key with limits', 'POST', '/v2/team/keys', { body: { limits } });
  const restricted = { headers: { authorization: `Bearer ${made.key}` } };
  await scrape('a call that a key may not make', {}, restricted);
  await record('a domain that a key may not fetch', 'POST', '/v2/map', {
    body: { url: scene.web.url('news.test') },
    ...restricted,
  });
  const once = { body: { urls: [url] }, headers: { 'x-idempotency-key': 'once' } };
  const { id } = await record('a batch with an idempotency key', 'POST', '/v2/batch/scrape', once);
  await scene.waitFor('batchStatus', { params: { id } }, ({ status }) => status !== 'scraping');
  await record('the same batch again', 'POST', '/v2/batch/scrape', once);
  const withPages = { query: 'lighthouse', limit: 2, scrapeOptions: { formats: ['markdown'] } };
  await record('a search whose results are scraped', 'POST', '/v2/search', { body: withPages });

  const { data: team } = await record('a team with a budget', 'POST', '/v2/teams', {
    body: { name: 'poor', plan: 'unlimited', monthlyCredits: 1 },
  });
  const { data: poor } = await record('its key', 'POST', `/v2/teams/${team.id}/keys`, {
    body: { limits: { requestsPerMinute: 4 } },
  });
  const asPoor = { headers: { authorization: `Bearer ${poor.key}` } };
  await scrape('a page within the budget', {}, asPoor);
  await scrape('a page beyond the budget', {}, asPoor);
  await record('a batch beyond the budget', 'POST', '/v2/batch/scrape', { body: { urls: [url, url] }, ...asPoor });
  await record('what is left of the budget', 'GET', '/v2/team/credit-usage', asPoor);
  await record('one request too many', 'GET', '/v2/me', asPoor);

  const planned = new Map<string, string>();
  for (const { route } of PLANNED_ROUTES) {
    const [method, path] = route.split(' ') as [string, string];
    const { status, body } = await scene.sendTo(method, path.replaceAll(/:\w+|\*/g, 'x'));
    planned.set(route, `${status} ${body.code}`);
  }
  answers.set('routes that are planned', Object.fromEntries(planned));
  compareWithGolden('further-answers', answers);
});

test('every tool of the MCP server answers a good and a bad call as recorded', async () => {
  const client = newModernClient();
  const headers = { authorization: `Bearer ${scene.key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', scene.url), { requestInit: { headers } }));
  const names = (await client.listTools()).tools.map(({ name }) => name.replace('firecrawl_', ''));
  const missing = names.filter((name) => !(name in TOOL_CALLS));
  assert.deepEqual(missing, [], 'test/recorded/tools.ts has no calls for these tools');
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name: `firecrawl_${name}`, arguments: args })) as CallToolResult;
  const answers = new Map<string, unknown>();
  for (const [name, { good, bad, settle }] of Object.entries(TOOL_CALLS)) {
    const result = await call(name, await good(scene));
    answers.set(`${name}: good`, scene.normalise(shownResult(result)));
    if (!result.isError) await settle?.(scene, result.structuredContent);
    answers.set(`${name}: bad`, scene.normalise(shownResult(await call(name, bad))));
  }
  await client.close();
  compareWithGolden('tools', answers);
});

test('all of that leaves the recorded rows in the ledger and in the audit log', async () => {
  await scene.close();
  const database = new DatabaseSync(join(scene.dataDir, 'store.db'), { readOnly: true });
  const team = '(SELECT name FROM teams WHERE id = team_id) AS team';
  const rowsOf = (columns: string, rest: string) =>
    database
      .prepare(`SELECT ${team}, ${columns} FROM ${rest}`)
      .all()
      .map((row) => Object.values(scene.normalise(row) as object).join(' | '));
  const sums = 'key, operation, sum(credits), sum(tokens)';
  compareWithGolden(
    'rows',
    new Map([
      ['ledger', rowsOf("key, operation, iif(job IS NULL, 'no job', 'job'), credits, tokens", 'ledger ORDER BY id')],
      ['usage', rowsOf(sums, 'usage GROUP BY team, key, operation ORDER BY team, operation, sum(credits)')],
      ['audit', rowsOf('actor, address, action, target, details', 'audit ORDER BY id')],
    ]),
  );
  database.close();
});
