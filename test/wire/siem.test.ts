// The audit log over HTTP, and its stream to a collector: what arrives, in which order, and that no secret leaks.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { ShownAuditEvent } from '../../src/contracts/team/audit.ts';
import type { SiemState } from '../../src/contracts/team/siem.ts';
import { findInFolder } from '../support/found-bytes.ts';
import { fullTest, test } from '../support/full-run.ts';
import { until } from '../support/jobs.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { addTeams } from '../support/team-with.ts';
import { readReceived } from '../support/web/hooks.ts';
import { startWeb, type Web } from '../support/web.ts';

const TOKEN = 'collector-token-5d41402abc4b2a76';
const HEADER_SECRET = 'header-secret-7d793037a0760186';
const PATH_SECRET = 'path-secret-574cebfe63a0';

let web: Web;
let service: RunningProgram;
let folder: string;
let settings: Record<string, string>;
/** A plain key and a restricted one of the team `acme`, and a key of the team `other`. */
let keys: string[];

before(async () => {
  web = await startWeb();
  folder = await mkdtemp(join(tmpdir(), 'trawl-siem-'));
  const authority = join(folder, 'ca.pem');
  await writeFile(authority, web.certificate);
  settings = { NODE_EXTRA_CA_CERTS: authority, TRAWL_DATA_DIR: join(folder, 'data'), TRAWL_API_KEY: 'the-operator' };
  service = await startServiceWith(web, settings);
  keys = await addTeams(service.dataDir, [
    { name: 'acme' },
    { name: 'acme', limits: { operations: ['map'] } },
    { name: 'other' },
  ]);
});
after(async () => {
  await service?.stop();
  await web?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Answered<Data> {
  status: number;
  text: string;
  body: { success: boolean; code?: string; error?: string; data: Data; cursor: string | null; has_more: boolean };
}

async function call<Data = SiemState>(
  key: string,
  method: string,
  path: string,
  sent?: object,
): Promise<Answered<Data>> {
  const response = await service.fetch(path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(sent && { 'content-type': 'application/json' }) },
    ...(sent && { body: JSON.stringify(sent) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}

const acme = () => keys[0]!;
const collector = (name: string, kind = 'hook') => web.secureUrl('hooks.test', `/${kind}/${name}/${PATH_SECRET}`);
const secrets = { token: TOKEN, headers: { 'X-Index': HEADER_SECRET } };
const put = (destination: object, more: object = {}, key = acme()) =>
  call(key, 'PUT', '/v2/team/siem', { enabled: true, destination, ...more });
const audit = (query = '', key = acme()) => call<ShownAuditEvent[]>(key, 'GET', `/v2/team/audit${query}`);

const linesOf = (bodies: { body: string }[]): ShownAuditEvent[] =>
  bodies.flatMap(({ body }) =>
    body
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  );

/** What a collector has received, once the last event is of this kind. */
const streamedUntil = (name: string, isEnd: (last: ShownAuditEvent) => boolean) =>
  until(
    async () => linesOf(await readReceived(web, name)),
    (lines) => lines.length > 0 && isEnd(lines.at(-1)!),
  );

test('a team without a collector says so, and a test has nothing to test', async () => {
  const { status, body } = await call(acme(), 'GET', '/v2/team/siem');
  assert.deepEqual(
    [status, body],
    [
      200,
      {
        success: true,
        data: {
          ...{ configured: false, enabled: false, destination: null, events: [], updatedAt: null },
          ...{ lastDeliveredAt: null, failingSince: null, lastError: null, backlog: 0 },
        },
      },
    ],
  );
  const refused = await call(acme(), 'POST', '/v2/team/siem/test');
  assert.deepEqual([refused.status, refused.body.code], [409, 'SIEM_NOT_CONFIGURED']);
});

test('a test event is delivered before the stream is enabled, and a refusal of it is no error', async () => {
  await put({ url: collector('tested'), ...secrets }, { enabled: false });
  const delivered = await call(acme(), 'POST', '/v2/team/siem/test');
  assert.deepEqual([delivered.status, delivered.body], [200, { success: true, data: { delivered: true } }]);
  const [{ method, headers, body } = assert.fail(), ...more] = await readReceived(web, 'tested');
  assert.deepEqual([method, headers['content-type'], more], ['POST', 'application/x-ndjson', []]);
  assert.deepEqual([headers.authorization, headers['x-index']], [`Bearer ${TOKEN}`, HEADER_SECRET]);
  const [event] = linesOf([{ body }]);
  const { time, ...rest } = event!;
  assert.match(time, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(rest, {
    ...{ id: 0, team: 'acme', actor: acme().slice(0, 11), address: '127.0.0.1', action: 'siem.changed' },
    ...{ target: null, details: { test: true }, service: 'trawl' },
  });
  await put({ url: collector('tested', 'gone') }, { enabled: false });
  const refused = await call(acme(), 'POST', '/v2/team/siem/test');
  assert.deepEqual(
    [refused.status, refused.body],
    [200, { success: true, data: { delivered: false, error: 'The receiver answered with status 500.' } }],
  );
});

test('secrets are in no answer, no log line and not in the database; they stay unless they are replaced', async () => {
  const { text, body } = await put({ url: `${collector('kept')}?key=${PATH_SECRET}` }, { enabled: false });
  assert.deepEqual(body.data.destination, {
    type: 'http',
    url: `${new URL(collector('kept')).origin}/hook/kept/***?key=***`,
    format: 'ndjson',
    hasToken: true,
    headerNames: ['X-Index'],
  });
  const shown = [text, (await call(acme(), 'GET', '/v2/team/siem')).text, (await audit()).text];
  const logs = service.output();
  const secrets = [TOKEN, HEADER_SECRET, PATH_SECRET];
  for (const secret of secrets) {
    assert.ok(!shown.join().includes(secret) && !`${logs.stdout}${logs.stderr}`.includes(secret), secret);
  }
  assert.deepEqual(findInFolder(service.dataDir, secrets), []);
  const hidden = await put({ url: body.data.destination!.url });
  assert.deepEqual([hidden.status, hidden.body.error], [400, 'Parts of this URL are hidden. Send it in full.']);
  const moved = await put({ url: 'https://elsewhere.example/in' });
  assert.equal(moved.status, 400);
  assert.match(moved.body.error!, /send `token` and `headers` again/);
  const emptied = await put({ url: collector('kept'), token: '', headers: {} }, { enabled: false });
  const { hasToken, headerNames } = emptied.body.data.destination!;
  assert.deepEqual([hasToken, headerNames], [false, []]);
});

test('a collector is https, public or listed, and named in full', async () => {
  const cases: [destination: object, status: number, text: RegExp][] = [
    [{ url: web.url('hooks.test', '/hook/plain') }, 400, /needs an https URL/],
    [{ url: 'https://10.1.2.3/in' }, 403, /TRAWL_ALLOW_NETWORKS/],
    [{ url: 'https://user:password@collector.example/' }, 400, /user name or password/],
    [{ url: 'ftp://collector.example/' }, 400, /http and https/],
    [{}, 400, /`destination.url`/],
    [{ url: 'https://collector.example/', tokn: 'x' }, 400, /tokn/],
    [{ type: 'azure_sentinel', url: 'https://collector.example/' }, 400, /Only destinations of type "http"/],
    [{ url: 'https://collector.example/', token: 'two\nlines' }, 400, /token/],
    [{ url: 'https://collector.example/', headers: { 'X-A': 'b\r\nX-C: d' } }, 400, /line breaks/],
  ];
  for (const [destination, status, text] of cases) {
    const { status: got, body } = await put(destination);
    assert.equal(got, status, JSON.stringify(destination));
    assert.match(body.error!, text);
  }
  const unknown = await put({ url: 'https://collector.example/' }, { events: ['key.stolen'] });
  assert.equal(unknown.status, 400);
  // Plain http is for hosts that the operator has listed. Whether it answers is another matter.
  const listed = await put({ url: `http://127.0.0.1:${web.port}/`, ...secrets }, { enabled: false });
  assert.equal(listed.status, 200);
});

test('a name that resolves to a private address gets no event, and the stream says why', async () => {
  web.dns.set('inside.test', ['10.1.2.3']);
  await put({ url: 'https://inside.test/in', ...secrets });
  const { body } = await call<{ delivered: boolean; error: string }>(acme(), 'POST', '/v2/team/siem/test');
  assert.equal(body.data.delivered, false);
  const failing = await until(
    () => call(acme(), 'GET', '/v2/team/siem'),
    (answer) => answer.body.data.lastError !== null,
  );
  const { lastError, failingSince, lastDeliveredAt, backlog } = failing.body.data;
  assert.match(lastError!, /TRAWL_ALLOW_NETWORKS/);
  assert.ok(failingSince !== null && lastDeliveredAt === null && backlog > 0);
});

test('refusals are events: a key beyond its scope, a private address, a wrong key', async () => {
  await put({ url: collector('refusals'), ...secrets });
  for (let i = 0; i < 3; i++) {
    const { status } = await call(keys[1]!, 'POST', '/v2/scrape', { url: web.url('news.test') });
    assert.equal(status, 403);
  }
  const { status } = await call(acme(), 'POST', '/v2/scrape', { url: 'http://10.1.2.3/secret/path' });
  assert.equal(status, 403);
  const lines = await streamedUntil('refusals', ({ action }) => action === 'key.refused');
  const found = lines
    .filter(({ action }) => action.endsWith('.refused'))
    .map(({ actor, action, target, details, address }) => [actor, action, target, address, details]);
  assert.deepEqual(found, [
    // Recorded when the address was refused as a collector; a second one within a minute is only counted.
    ['system', 'network.refused', null, null, { rule: 'egress_address' }],
    [keys[1]!.slice(0, 11), 'key.refused', 'scrape', '127.0.0.1', { code: 'KEY_RESTRICTED' }],
  ]);
  assert.ok(!JSON.stringify(lines).includes('/secret/path'));
  await call('fc-00000000000000000000000000000000', 'GET', '/v2/team/siem');
  const operator = await until(
    () => audit('?action=key.refused', 'the-operator'),
    (answer) => answer.body.data.length > 0,
  );
  const [{ actor, address, team, details } = assert.fail()] = operator.body.data;
  assert.deepEqual([actor, address, team, details], ['unknown', '127.0.0.1', 'default', { code: 'UNAUTHORIZED' }]);
});

test('the log has pages and filters, and only the operator sees other teams', async () => {
  const all = (await audit()).body;
  assert.ok(all.data.length > 3 && all.data.every(({ team }) => team === 'acme'));
  const paged: ShownAuditEvent[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await audit(`?limit=2${cursor && `&cursor=${cursor}`}`);
    paged.push(...body.data);
    assert.equal(body.has_more, body.cursor !== null);
    cursor = body.cursor;
  }
  assert.deepEqual(paged, all.data);
  const ids = paged.map(({ id }) => id);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => b - a),
  );
  const refusals = (await audit('?action=key.refused')).body.data;
  assert.ok(refusals.length > 0 && refusals.every(({ action }) => action === 'key.refused'));
  for (const query of ['?limit=0', '?limit=101', '?cursor=x', '?action=key.stolen'])
    assert.equal((await audit(query)).status, 400, query);

  const [created, ...more] = (await audit('', keys[2])).body.data;
  assert.deepEqual([created?.action, created?.team, created?.target], ['key.created', 'other', keys[2]!.slice(0, 11)]);
  assert.ok(more.every(({ team }) => team === 'other'));
  for (const team of ['all', 'acme', 'default']) {
    const { status, body } = await audit(`?team=${team}`, keys[2]);
    assert.deepEqual([status, body.code], [403, 'OPERATOR_ONLY'], team);
  }
  const restricted = await audit('', keys[1]);
  assert.deepEqual([restricted.status, restricted.body.code], [403, 'KEY_RESTRICTED']);
  const teams = (await audit('?team=all&limit=100', 'the-operator')).body.data.map(({ team }) => team);
  assert.deepEqual(new Set(teams), new Set(['acme', 'other', 'default']));
  const theirs = (await audit('?team=acme', 'the-operator')).body.data;
  assert.ok(theirs.length > 0 && theirs.every(({ team }) => team === 'acme'));
  const nobody = await audit('?team=nobody', 'the-operator');
  assert.deepEqual([nobody.status, nobody.body.code], [404, 'TEAM_NOT_FOUND']);
});

test('a restricted key neither reads, changes nor tests the stream', async () => {
  const answers = [
    await call(keys[1]!, 'GET', '/v2/team/siem'),
    await put({ url: collector('mine'), ...secrets }, {}, keys[1]),
    await call(keys[1]!, 'POST', '/v2/team/siem/test'),
  ];
  for (const { status, body } of answers) assert.deepEqual([status, body.code], [403, 'KEY_RESTRICTED']);
  assert.equal((await call(keys[2]!, 'GET', '/v2/team/siem')).body.data.configured, false);
});

fullTest('kill -9 while the collector is down loses nothing: everything arrives, in order', async () => {
  const [before] = (await audit('?limit=1')).body.data;
  await put({ url: collector('down', 'gone'), ...secrets });
  for (let number = 0; number < 20; number++)
    await put({ url: collector('down', 'gone') }, { events: [], enabled: number % 2 === 1 });
  const { body } = await audit('?limit=100');
  const [newest] = body.data;
  await service.kill();
  service = await startServiceWith(web, settings);
  await put({ url: collector('up'), ...secrets });
  const lines = await streamedUntil('up', ({ id }) => id > newest!.id);
  const received = new Map(
    [...linesOf(await readReceived(web, 'refusals')), ...lines].map(({ id, ...line }) => [id, line]),
  );
  const ids = lines.map(({ id }) => id);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(ids).size, ids.length);
  // The first collector got events, unless its tests are left out.
  const begun = linesOf(await readReceived(web, 'refusals'))[0]?.id ?? (before?.id ?? 0) + 1;
  for (const { id, ...event } of body.data.filter((event) => event.id >= begun))
    assert.deepEqual(received.get(id), { ...event, service: 'trawl' }, `event ${id}`);
  const state = (await call(acme(), 'GET', '/v2/team/siem')).body.data;
  assert.deepEqual([state.lastError, state.backlog], [null, 0]);
  assert.ok(state.lastDeliveredAt !== null);
});
