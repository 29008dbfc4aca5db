import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { keys } from '../../../../src/cli/keys/keys.ts';
import { openKeyRing } from '../../../../src/compose/commands/keys.ts';
import { readConfig } from '../../../../src/config/settings.ts';
import { registerAnonymously, requestClaim } from '../../../../src/operations/onboarding/anonymous-agent.ts';
import { hashKey } from '../../../../src/operations/team/keys.ts';
import { createAddressPace } from '../../../../src/runtime/address-pace.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { systemClock } from '../../../../src/util/clock.ts';
import { runCommand } from '../../../support/command.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

const DAY_MS = 24 * 3_600_000;

async function setUp(t: TestContext) {
  const dataDir = await temporaryFolder(t);
  const ring = await openKeyRing(readConfig({ TRAWL_DATA_DIR: dataDir }));
  const store = await openSqliteStore({ dataDir, cacheMaxBytes: 1e9, lock: false });
  t.after(() => Promise.all([ring.close(), store.close()]));
  const local = { openKeyRing: async () => ({ ...ring, close: async () => {} }) };
  const run = async (...args: string[]) => (await runCommand('keys', keys, args, { local })).lines;
  const keyIn = (lines: string[]) => /fc-[0-9a-f]{32}/.exec(lines.join('\n'))![0];
  const works = async (key: string) => (await store.teams.findByKey(hashKey(key), Date.now())) !== undefined;
  return { run, keyIn, works, ring, store };
}

test('a key is added with limits, shown, changed, rotated and revoked', async (t) => {
  const { run, keyIn, works, ring } = await setUp(t);
  await run('add');
  const added = await run(
    ...['add', '--team', 'lab', '--label', 'laptop', '--operations', 'scrape, map', '--formats', 'markdown'],
    ...['--networks', '10.0.0.0/8,::1', '--domains', 'Example.com,*.example.org', '--rate', '30', '--credits', '500'],
    ...['--expires', '30'],
  );
  const key = keyIn(added);
  assert.equal(added[0], 'New key for team lab, shown only once:');
  const prefix = key.slice(0, 11);
  const record = async () => (await ring.listKeys()).find((each) => each.prefix === prefix)!;
  const limits = {
    operations: ['scrape', 'map'],
    formats: ['markdown'],
    networks: ['10.0.0.0/8', '::1'],
    domains: ['example.com', '*.example.org'],
    requestsPerMinute: 30,
    monthlyCredits: 500,
  };
  const { expiresAt, createdAt, ...stored } = await record();
  assert.deepEqual([stored.label, stored.limits, expiresAt! - createdAt], ['laptop', limits, 30 * DAY_MS]);

  const shown = (await run('show', prefix)).join('\n');
  assert.match(shown, /^label +laptop$/m);
  assert.match(shown, /^domains +example\.com, \*\.example\.org$/m);
  assert.ok(!shown.includes(key));
  assert.match(
    (await run('list', '--team', 'lab')).join('\n'),
    new RegExp(`${prefix}\\.\\.\\. +lab .* yes +laptop$`, 'm'),
  );

  await run(
    'change',
    prefix,
    '--formats',
    '',
    '--rate',
    'unlimited',
    '--label',
    '',
    '--expires',
    'never',
    '--credits',
    '9',
  );
  const { formats: _formats, requestsPerMinute: _rate, ...kept } = limits;
  const changed = await record();
  assert.deepEqual([changed.label, changed.limits, changed.expiresAt], [null, { ...kept, monthlyCredits: 9 }, null]);
  await run('change', prefix, '--expires', '2099-01-31');
  assert.equal((await record()).expiresAt, Date.parse('2099-01-31T00:00:00Z'));

  const rotated = await run('rotate', prefix);
  const next = keyIn(rotated);
  assert.match(rotated[0]!, /The old key works for 24 more hours\.$/);
  assert.deepEqual([await works(key), await works(next)], [true, true]);
  assert.match((await run('rotate', prefix, '--grace', '0'))[0]!, /The old key has ended\.$/);
  assert.deepEqual([await works(key), await works(next)], [false, false]);
  assert.deepEqual(await run('revoke', prefix), [`Revoked the key ${prefix}... of team lab.`]);
  assert.equal(await record(), undefined);
});

test('a team is created and changed, and what was done is in the audit log', async (t) => {
  const { run, store } = await setUp(t);
  await run('team', 'lab', '--plan', 'hobby', '--credits', '5000');
  await run('team', 'lab', '--concurrency', '7', '--rates', 'scrape=60,map=unlimited', '--networks', '10.0.0.0/8');
  const lines = await run('team', 'lab', '--unset', 'networks', '--credits', 'unlimited');
  const [{ id, settings } = { id: '', settings: {} }] = await store.teams.listTeams();
  assert.deepEqual(settings, {
    plan: 'hobby',
    monthlyCredits: null,
    maxConcurrency: 7,
    rates: { scrape: 60, map: null },
  });
  assert.ok(lines[1]!.includes(JSON.stringify(settings)));
  assert.deepEqual(await run('teams'), lines);
  const events = await store.audit.list({ teamId: id, limit: 10 });
  assert.deepEqual(
    events.map(({ action, actor }) => [action, actor]),
    [
      ['team.changed', 'operator'],
      ['team.changed', 'operator'],
      ['team.created', 'operator'],
    ],
  );
});

test('the keys of anonymous agents are listed and approved', async (t) => {
  const { run, store } = await setUp(t);
  assert.deepEqual(await run('claims'), ['No anonymous agent waits for approval.']);
  const turns = createAddressPace(systemClock, { burst: 9, everyMs: 1 });
  const terms = { creditsPerMonth: 5, days: 7, maxUnclaimed: 9 };
  const agents = { ...store, terms, turns, clock: systemClock, onKeysEnded: () => {} };
  const from = { address: '192.0.2.1', baseUrl: 'http://service.test' };
  const [first, second] = [await registerAnonymously(agents, from), await registerAnonymously(agents, from)];
  await requestClaim(agents, { claim_token: first.claim_token!, email: 'me@example.org\u001b[2J' });

  const [head, ...lines] = await run('claims');
  assert.match(head!, /^ID +KEY +TEAM +EXPIRES +ASKED +E-MAIL \(NOT VERIFIED\)$/);
  const [one, two] = [first, second].map(({ registration_id: id, credential }) => {
    const line = lines.find((each) => each.startsWith(id))!;
    assert.ok(line.includes(`${credential.slice(0, 11)}...`) && !line.includes(credential), line);
    return line;
  });
  // What an agent wrote does not reach the terminal as it is.
  assert.match(one!, / \S+Z +\S+Z +me@example\.org\?\[2J$/);
  assert.match(two!, / never$/);

  const id = first.registration_id;
  for (const [args, expected] of [
    [['approve'], /^Error: Usage/],
    [['approve', id, '--operations', 'dance'], /operations/],
    [['approve', id, '--plan', 'gold'], /There is no plan 'gold'/],
    [['approve', id, '--expires', 'soon'], /expiresInDays/],
    [['approve', crypto.randomUUID()], /key/i],
  ] as [string[], RegExp][])
    await assert.rejects(run(...args), expected, args.join(' '));
  assert.equal((await run('claims')).length, 3);
  const wanted = ['--operations', 'scrape,crawl', '--credits', '50', '--plan', 'hobby', '--expires', '30'];
  assert.deepEqual(await run('approve', id, ...wanted), [
    `Approved the key ${first.credential.slice(0, 11)}... of an anonymous agent.`,
  ]);
  assert.equal((await run('claims')).length, 2);
  await assert.rejects(run('approve', id), /key/i);
  const key = (await store.teams.listKeys()).find(({ prefix }) => first.credential.startsWith(prefix))!;
  assert.deepEqual(key.limits, { operations: ['scrape', 'crawl'], monthlyCredits: 50 });
  assert.ok(Math.abs(key.expiresAt! - Date.now() - 30 * DAY_MS) < DAY_MS);
  assert.equal((await store.teams.find(key.teamId))!.settings?.plan, 'hobby');
  const [claimed] = await store.audit.list({ teamId: key.teamId, action: 'key.claimed', limit: 10 });
  assert.deepEqual([claimed?.actor, claimed?.target, claimed?.details], ['operator', key.prefix, { registration: id }]);
});

test('whoever takes the last key without restrictions away is told so', async (t) => {
  const { run, keyIn } = await setUp(t);
  const [first, second] = [keyIn(await run('add')).slice(0, 11), keyIn(await run('add')).slice(0, 11)];
  assert.equal((await run('revoke', first)).length, 1);
  const warning =
    'The team default has no key without restrictions any more, so its keys can only be managed with this command.';
  assert.equal((await run('change', second, '--expires', '1')).at(-1), warning);
  assert.notEqual((await run('change', second, '--label', 'restricted already')).at(-1), warning);
});

test('wrong options fail with a sentence that names them', async (t) => {
  const { run, keyIn } = await setUp(t);
  const prefix = keyIn(await run('add')).slice(0, 11);
  const cases: [string[], RegExp][] = [
    [['add', '--colour', 'red'], /There is no flag --colour/],
    [['add', 'me'], /Usage: trawl keys add/],
    [['add', '--operations', 'dance'], /operations/],
    [['add', '--rate', 'many'], /requestsPerMinute/],
    [['add', '--networks', 'example.com'], /CIDR/],
    [['add', '--expires', 'soon'], /expiresAt/],
    [['add', '--expires', '2020-01-01'], /in the past/],
    [['rotate', prefix, '--grace', 'long'], /graceHours/],
    [['show', 'fc-'], /first 5 characters/],
    [['revoke', 'fc-unknown'], /No key begins with fc-unknown/],
    [['team', 'a b'], /team name/],
    [['team', 'lab', '--plan', 'gold'], /There is no plan 'gold'/],
    [['team', 'lab', '--credits', ''], /monthlyCredits/],
  ];
  for (const [args, expected] of cases) await assert.rejects(run(...args), expected, args.join(' '));
});

test('what callers have written cannot control the terminal', async (t) => {
  const { run } = await setUp(t);
  await run('add', '--label', 'caf\u00e9 \u001b[2J\u202e');
  assert.match((await run('list')).join('\n'), /caf\u00e9 \?\[2J\?$/m);
});
