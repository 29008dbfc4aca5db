// An approved login waits for ten minutes, in memory, and is worth one key.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createCliLogins, LOGIN_MS } from '../../../../src/operations/onboarding/cli-login.ts';

const VERIFIER = 'v'.repeat(43);
const LOGIN = { sessionId: 'a'.repeat(64), codeVerifier: VERIFIER };
const APPROVED = { ...LOGIN, codeChallenge: createHash('sha256').update(VERIFIER).digest('base64url') };
const APPROVER = { team: { id: 'team', name: 'ours' }, key: 'fc-12345678' };

const isElsewhere = () => false;
const isOperator = () => true;

function open(createKey: () => Promise<string | undefined>) {
  let now = 1_700_000_000_000;
  const events: unknown[] = [];
  const audit = { add: async (event: unknown) => void events.push(event) };
  const logins = createCliLogins({ createKey, audit, clock: { now: () => now } });
  const wait = (ms: number) => {
    now += ms;
  };
  return { logins, events, wait };
}

test('an approval that is not fetched in time is gone, and no key was made', async () => {
  let made = 0;
  const { logins, events, wait } = open(async () => {
    made += 1;
    return `fc-${made}`;
  });
  await logins.approve(APPROVED, APPROVER);
  assert.deepEqual(events, [
    { at: 1_700_000_000_000, teamId: 'team', actor: 'fc-12345678', address: undefined, action: 'login.approved' },
  ]);
  wait(LOGIN_MS);
  assert.equal(await logins.fetch(LOGIN, isElsewhere), undefined);
  assert.equal(made, 0);
  await logins.approve(APPROVED, APPROVER);
  wait(LOGIN_MS - 1);
  assert.deepEqual(await logins.fetch(LOGIN, isElsewhere), { key: 'fc-1', teamName: 'ours' });
  assert.equal(await logins.fetch(LOGIN, isElsewhere), undefined);
});

test('a login whose key could not be stored can be fetched again; one whose approver has lost its key cannot', async () => {
  const outcomes: (() => Promise<string | undefined>)[] = [
    () => Promise.reject(new Error('The disk is full.')),
    async () => 'fc-1',
    async () => undefined,
    async () => 'fc-2',
  ];
  const { logins } = open(() => outcomes.shift()!());
  await logins.approve(APPROVED, APPROVER);
  await assert.rejects(logins.fetch(LOGIN, isElsewhere), /disk is full/);
  assert.equal((await logins.fetch(LOGIN, isElsewhere))?.key, 'fc-1');
  await logins.approve(APPROVED, APPROVER);
  assert.equal(await logins.fetch(LOGIN, isElsewhere), undefined);
  assert.equal(await logins.fetch(LOGIN, isElsewhere), undefined);
});

test('what the operator approved without a key is only for programs of the operator', async () => {
  const { logins } = open(async () => 'fc-1');
  await logins.approve(APPROVED, { team: APPROVER.team, isAtMachine: true });
  assert.equal(await logins.fetch(LOGIN, isElsewhere), undefined);
  assert.deepEqual(await logins.fetch(LOGIN, isOperator), { key: 'fc-1', teamName: 'ours' });
});
