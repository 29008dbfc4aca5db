// Keys of agent providers change: new ones are fetched, but not for everybody who makes up a key id, and a provider that is
// down does not lock its agents out.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseAgentIssuers } from '../../../../src/policy/agents/agent-issuers.ts';
import { createIssuerKeys } from '../../../../src/policy/agents/issuer-keys.ts';
import { createVerifyAssertion } from '../../../../src/policy/agents/verify-assertion.ts';
import { startAgentProvider } from '../../../support/agent-provider.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { openEgress } from '../../net/local.ts';

const AUDIENCE = 'https://trawl.example.org';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BROKEN = [
  { status: 503, text: 'down' },
  { status: 200, text: '<html>Sorry</html>' },
  { status: 200, text: '{}' },
];

async function open(t: TestContext) {
  const provider = await startAgentProvider();
  t.after(() => provider.stop());
  const clock = createTestClock();
  const egress = openEgress(t, { operatorOrigins: [provider.issuer] });
  const keys = createIssuerKeys({ egress, clock, stopping: new AbortController().signal });
  const verify = createVerifyAssertion({ issuers: parseAgentIssuers(provider.issuer), keys, clock });
  const present = async (header: { kid?: string } = {}) => {
    const now = Math.floor(clock.now() / 1000);
    return verify(await provider.sign(AUDIENCE, { iat: now, exp: now + 300 }, header), [AUDIENCE]);
  };
  const wait = (ms: number) => clock.set(clock.now() + ms);
  return { provider, present, wait };
}

test('a new key is fetched at most once a minute, and then accepted', async (t) => {
  const { provider, present, wait } = await open(t);
  await present();
  assert.equal(provider.fetches(), 1);
  await provider.rotate();
  // Known for less than a minute, so nothing is fetched: neither for the new key nor for made-up ones.
  wait(MINUTE_MS - 1);
  for (const header of [{}, { kid: 'made-up-1' }, { kid: 'made-up-2' }])
    await assert.rejects(present(header), { code: 'invalid_signature' });
  assert.equal(provider.fetches(), 1);
  wait(1);
  await Promise.all(Array.from({ length: 8 }, () => present()));
  assert.equal(provider.fetches(), 2);
  for (const kid of ['made-up-3', 'made-up-4']) await assert.rejects(present({ kid }), { code: 'invalid_signature' });
  assert.equal(provider.fetches(), 2);
});

test('a key that the provider has withdrawn is refused after an hour', async (t) => {
  const { provider, present, wait } = await open(t);
  await present();
  provider.answerWith({ status: 200, text: '{"keys":[]}' });
  wait(HOUR_MS - 1);
  await present();
  wait(1);
  await assert.rejects(present(), { code: 'invalid_signature' });
});

test('while a provider is down, its known keys work, for all who ask at the same time', async (t) => {
  const { provider, present, wait } = await open(t);
  await present();
  for (const answer of BROKEN) {
    provider.answerWith(answer);
    wait(HOUR_MS);
    const before = provider.fetches();
    await Promise.all(Array.from({ length: 8 }, () => present()));
    assert.equal(provider.fetches(), before + 1, answer.text);
  }
  await provider.stop();
  wait(HOUR_MS);
  await Promise.all([present(), present()]);
});

test('a provider whose keys were never read is asked once a minute, and the answer says what is wrong', async (t) => {
  const { provider, present, wait } = await open(t);
  const unread = { code: 'SOURCES_UNAVAILABLE', message: /keys of the issuer http.* could not be read/ };
  provider.answerWith(BROKEN[0]);
  await Promise.all(Array.from({ length: 8 }, () => assert.rejects(present(), unread)));
  provider.answerWith(undefined);
  await assert.rejects(present(), unread);
  assert.equal(provider.fetches(), 1);
  wait(MINUTE_MS);
  await present();
});
