// Who a key belongs to, and what wrong keys cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthenticate } from '../../../../src/api/callers/auth.ts';
import { MAX_WRONG_KEYS } from '../../../../src/api/callers/guarded-look-up.ts';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { hashKey } from '../../../../src/operations/team/keys.ts';
import { connect, JOB, KEY, OTHER_KEY, startEdge } from '../edge.ts';

const OPERATOR = 'operators-own-key';
const ATTACKER = '198.51.100.7';

/** A store that counts its calls, and a clock that the test sets. */
function setUp() {
  const calls = { findByKey: 0, listKeyHashes: 0 };
  const keys = new Set<string>();
  let time = 1_700_000_000_000;
  const authenticate = createAuthenticate({
    mode: 'required',
    apiKey: OPERATOR,
    operatorTeam: async () => ({ id: 'own', name: 'own' }),
    teams: {
      async findByKey(hash) {
        calls.findByKey += 1;
        return keys.has(hash)
          ? { team: { id: 'other', name: 'other' }, key: 'fc-', keyId: 'id', limits: {}, expiresAt: null }
          : undefined;
      },
      async listKeyHashes() {
        calls.listKeyHashes += 1;
        return [...keys];
      },
    },
    clock: { now: () => time, sleep: async () => {} },
  });
  /** The team of the key, or the error. */
  const send = (key: string, address = ATTACKER) =>
    authenticate(`Bearer ${key}`, address).then(
      ({ team }) => team.id,
      (error: ServiceError) => error.code,
    );
  const guess = async (count: number, address: (n: number) => string = () => ATTACKER) => {
    const answers = await Promise.all(Array.from({ length: count }, (_, n) => send(`guess-${n}`, address(n))));
    return answers.filter((answer) => answer === 'UNAUTHORIZED').length;
  };
  const pass = (ms: number) => {
    time += ms;
  };
  return { calls, keys, authenticate, send, guess, pass };
}

test('wrong keys of one address are looked up up to a limit, even when they come at once; then they cost nothing', async () => {
  const { calls, guess, authenticate } = setUp();
  assert.equal(await guess(5_000), MAX_WRONG_KEYS);
  assert.equal(calls.findByKey, MAX_WRONG_KEYS);
  assert.ok(calls.listKeyHashes <= 1);
  await assert.rejects(authenticate('Bearer fc-x', ATTACKER), (error: unknown) => {
    assert.ok(error instanceof ServiceError);
    assert.deepEqual([error.code, error.status, error.retryAfter], ['TOO_MANY_WRONG_KEYS', 429, 1]);
    return true;
  });
});

test('after a pause, wrong keys are looked up again, as many as the pause allows', async () => {
  const { guess, pass } = setUp();
  await guess(1_000);
  pass(10_000);
  assert.equal(await guess(1_000), 10);
  // A clock that is set back neither blocks for ever nor gives more.
  pass(-86_400_000);
  assert.equal(await guess(1_000), 0);
  pass(10_000);
  assert.equal(await guess(1_000), 10);
});

test('valid keys behind the same address are always let in, known or not', async () => {
  const { keys, send, guess, pass } = setUp();
  keys.add(hashKey('fc-used')).add(hashKey('fc-new'));
  assert.equal(await send('fc-used'), 'other');
  await guess(1_000);
  assert.deepEqual([await send('fc-used'), await send('fc-new'), await send(OPERATOR)], ['other', 'other', 'own']);
  // A key that is added during the attack is known after a second at the latest.
  keys.add(hashKey('fc-newest'));
  pass(1_000);
  assert.equal(await send('fc-newest'), 'other');
});

test('valid keys use up nothing', async () => {
  const { keys, send, guess } = setUp();
  const valid = Array.from({ length: 500 }, (_, n) => `fc-${n}`);
  for (const key of valid) keys.add(hashKey(key));
  assert.deepEqual([...new Set(await Promise.all(valid.map((key) => send(key))))], ['other']);
  assert.equal(await guess(1_000), MAX_WRONG_KEYS);
});

test('a revoked key is refused at once, also during an attack', async () => {
  const { keys, send, guess } = setUp();
  keys.add(hashKey('fc-used'));
  await send('fc-used');
  await guess(1_000);
  keys.clear();
  assert.equal(await send('fc-used'), 'UNAUTHORIZED');
  assert.equal(await send('fc-used'), 'TOO_MANY_WRONG_KEYS');
});

test('addresses are counted apart, but an IPv6 network of 64 bits as one', async () => {
  const { guess } = setUp();
  assert.equal(await guess(300, (n) => `198.51.100.${n % 2}`), 2 * MAX_WRONG_KEYS);
  assert.equal(await guess(300, (n) => `2001:db8:1:2:${n.toString(16)}::1`), MAX_WRONG_KEYS);
  assert.equal(await guess(300, (n) => `2001:db8:3:${n.toString(16)}::1`), 300);
  assert.equal(await guess(300, (n) => `::ffff:192.0.2.${n % 2}`), 2 * MAX_WRONG_KEYS);
});

test('requests without a key are refused without a look-up and are not counted', async () => {
  const { calls, authenticate, guess } = setUp();
  for (let n = 0; n < 1_000; n += 1) await assert.rejects(authenticate(n % 2 ? undefined : 'Basic x', ATTACKER));
  assert.deepEqual(calls, { findByKey: 0, listKeyHashes: 0 });
  assert.equal(await guess(1_000), MAX_WRONG_KEYS);
});

test('over HTTP and WebSocket: 429 with Retry-After for the address that a trusted proxy names, and for no other', async (t) => {
  const { url } = await startEdge(t, { trustedProxies: '127.0.0.1' });
  const ask = async (key: string, address: string) => {
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': `192.0.2.1, ${address}` };
    const response = await fetch(`${url}/v2/crawl/${JOB}`, { headers });
    await response.arrayBuffer();
    return [response.status, response.headers.get('retry-after'), response.headers.get('connection')] as const;
  };
  for (let n = 0; n < MAX_WRONG_KEYS; n += 1) assert.equal((await ask(`fc-${n}`, ATTACKER))[0], 401);
  assert.deepEqual(await ask('fc-more', ATTACKER), [429, '1', 'close']);
  assert.equal((await ask('fc-more', '198.51.100.8'))[0], 401);
  for (const key of [KEY, OTHER_KEY]) assert.equal((await ask(key, ATTACKER))[0], 200);
  const watch = (key: string) =>
    connect(`${url}/v2/crawl/${JOB}`, [], { headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': ATTACKER } });
  const { code, reason } = await watch('fc-more').closed;
  assert.equal(code, 1008);
  assert.match(reason, /Too many wrong keys/);
  assert.equal((await watch(OTHER_KEY).closed).code, 1000);
});
