// The judge of a scope: what it blocks and says, what it asks, and what that costs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { Grant } from '../../../../src/contracts/team/policy.ts';
import { threatPolicy } from '../../../../src/contracts/threats/threat-protection.ts';
import type { RiskAnswer, RiskService } from '../../../../src/policy/threats/risk/risk-service.ts';
import { createRiskServices } from '../../../../src/policy/threats/risk/risk-services.ts';
import type { ThreatCheck, ThreatCheckTerms } from '../../../../src/policy/threats/threat-check.ts';
import { createThreats } from '../../../../src/policy/threats/threats.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const signal = new AbortController().signal;
const TEAM = { id: 'team', settings: {} };

/** A service that gives hosts the score in their name, and counts. */
function createScores(isFree = false, answer?: RiskAnswer) {
  const asked: string[] = [];
  const service: RiskService = {
    name: 'scores',
    isFree,
    async ask(url) {
      asked.push(url.href);
      return answer ?? { score: Number(/\d+/.exec(url.hostname)?.[0] ?? 0) };
    },
  };
  return { service, asked };
}

interface Scene {
  grant?: Grant;
  saved?: object;
  services?: RiskService[];
}

const threatsWith = ({ grant = 'allowed', saved, services = [] }: Scene) => {
  const found = saved && { policy: threatPolicy.parse(saved), updatedAt: 0 };
  return createThreats({
    policies: { find: () => found },
    teams: { find: async (id) => ({ id, name: id, settings: {} }) },
    grantOf: () => grant,
    services: createRiskServices(services),
    scanCredits: 2,
    clock: createTestClock(),
  });
};

const judgeWith = async (scene: Scene, terms: ThreatCheckTerms = {}) =>
  (await threatsWith(scene).checkFor(TEAM, terms))!;

async function outcome(threatCheck: ThreatCheck, url: string): Promise<string> {
  try {
    await threatCheck.check(new URL(url), signal);
    assert.equal(await threatCheck.isSafe(new URL(url), signal), true);
    return 'allowed';
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(await threatCheck.isSafe(new URL(url), signal), false);
    return `${error.status} ${error.code}: ${error.message}`;
  }
}

const ADVICE = (host: string) => `To allow ${host} anyway, add it to the whitelist of the policy.`;

test('without a policy, an override, safe mode or domains of a key there is no judge, and nothing is awaited', () => {
  assert.equal(threatsWith({}).checkFor(TEAM, {}), undefined);
  assert.equal(threatsWith({ grant: 'absent' }).checkFor(TEAM, { keyDomains: [] }), undefined);
  assert.equal(threatsWith({ saved: { mode: 'off', blacklist: ['a.example'] } }).checkFor(TEAM, {}), undefined);
});

test('work that only knows the id of its team is judged by what the team has', async () => {
  const { service } = createScores();
  const threats = threatsWith({ grant: 'forced', services: [service] });
  const threatCheck = await threats.checkFor({ id: 'team' }, {});
  assert.match(await outcome(threatCheck!, 'http://s90.example/'), /risk score 90/);
  assert.ok(!(threats.checkFor({ id: 'team' }, {}) instanceof Promise), 'looked up once');
});

describe('own rules', () => {
  const saved = {
    mode: 'normal',
    blacklist: ['*.bad.example', 'secret.example'],
    whitelist: ['good.zip'],
    blockedTlds: ['zip', 'mov'],
  };

  test('are named in the refusal, and no other entry is', async () => {
    const { service, asked } = createScores();
    const threatCheck = await judgeWith({ saved, services: [service] });
    assert.deepEqual(
      [
        await outcome(threatCheck, 'https://x.bad.example/a'),
        await outcome(threatCheck, 'http://any.zip/'),
        await outcome(threatCheck, 'http://good.zip/'),
      ],
      [
        `403 unsafe_domain_blocked: Blocked by your team's blacklist: *.bad.example. ${ADVICE('x.bad.example')}`,
        `403 unsafe_domain_blocked: Blocked by your team's threat policy: top-level domain .zip. ${ADVICE('any.zip')}`,
        'allowed',
      ],
    );
    assert.deepEqual([asked, threatCheck.credits()], [[], 0], 'nobody was asked');
  });

  test('of the request are named as such', async () => {
    const { service } = createScores();
    const threatCheck = await judgeWith({ saved, services: [service] }, { override: { blacklist: ['here.example'] } });
    assert.match(
      await outcome(threatCheck, 'http://here.example'),
      /Blocked by the blacklist of the request: here.example\./,
    );
  });

  test('can be asked alone, for free', async () => {
    const { service, asked } = createScores();
    const threatCheck = await judgeWith({ saved, services: [service] });
    const urls = ['http://x.bad.example', 'http://a.mov', 'http://good.zip', 'http://s99.example'];
    assert.deepEqual(
      urls.map((url) => threatCheck.allowsByRules(new URL(url))),
      [false, false, true, true],
    );
    assert.deepEqual([asked, threatCheck.credits()], [[], 0]);
  });

  test('are all there is with manual-only', async () => {
    const { service, asked } = createScores();
    const threatCheck = await judgeWith({ saved: { ...saved, mode: 'manual-only' }, services: [service] });
    assert.equal(await outcome(threatCheck, 'http://s99.example/'), 'allowed');
    assert.deepEqual(asked, []);
  });
});

describe('risk services', () => {
  const saved = { mode: 'normal' };

  test('block from the threshold on, and cost 2 credits for each URL and scope, also when they block', async () => {
    const { service, asked } = createScores();
    const scene = { saved, services: [service] };
    const threatCheck = await judgeWith(scene);
    const urls = ['http://s74.example/', 'http://s75.example/', 'http://s75.example/#part', 'http://s75.example/other'];
    assert.deepEqual(await Promise.all(urls.map((url) => outcome(threatCheck, url))), [
      'allowed',
      ...Array(3).fill(
        `403 unsafe_domain_blocked: Blocked by threat protection: risk score 75 (threshold 75). ${ADVICE('s75.example')}`,
      ),
    ]);
    assert.deepEqual([asked.length, threatCheck.credits()], [3, 6], 'a fragment is no other URL');
    const next = await judgeWith(scene);
    await outcome(next, 'http://s74.example/');
    assert.equal(next.credits(), 2, 'another scope pays for itself');
  });

  test('that are free come first, and what they block costs nothing', async () => {
    const [free, billed] = [createScores(true), createScores()];
    const threatCheck = await judgeWith({ saved, services: [billed.service, free.service] });
    await outcome(threatCheck, 'http://s100.example/');
    assert.deepEqual([free.asked.length, billed.asked.length, threatCheck.credits()], [1, 0, 0]);
    await outcome(threatCheck, 'http://s10.example/');
    assert.deepEqual([billed.asked.length, threatCheck.credits()], [1, 2]);
  });

  const down = () => createScores(false, { failure: 'it is down' }).service;

  test('that fail block or allow by the failure policy, and cost nothing', async () => {
    const closed = await judgeWith({ saved, services: [down()] });
    assert.equal(
      await outcome(closed, 'http://a.example/'),
      `403 unsafe_domain_blocked: Blocked by threat protection: no risk service could judge the URL, and the failure policy is closed. Try again later. ${ADVICE('a.example')}`,
    );
    const open = await judgeWith({ saved: { ...saved, failurePolicy: 'open' }, services: [down()] });
    assert.equal(await outcome(open, 'http://a.example/'), 'allowed');
    assert.deepEqual([closed.credits(), open.credits()], [0, 0]);
    assert.equal(
      open.warning(),
      'One URL was not checked, because a risk service did not answer. `failurePolicy: open` allows that.',
    );
  });

  test('one that fails does not outvote one that blocks', async () => {
    const threatCheck = await judgeWith({
      saved: { ...saved, failurePolicy: 'open' },
      services: [down(), createScores().service],
    });
    assert.match(await outcome(threatCheck, 'http://s90.example/'), /risk score 90 \(threshold 75\)/);
  });

  test('are only asked if they send the URL nowhere, in lockdown', async () => {
    const [free, billed] = [createScores(true), createScores()];
    const threatCheck = await judgeWith({ saved, services: [billed.service, free.service] }, { isOffline: true });
    assert.match(await outcome(threatCheck, 'http://s90.example/'), /risk score 90/);
    assert.equal(await outcome(threatCheck, 'http://s10.example/'), 'allowed');
    assert.deepEqual([free.asked.length, billed.asked.length, threatCheck.credits()], [2, 0, 0]);
  });

  test('are only asked about a host if that is free, and not about pages of it', async () => {
    const [free, billed] = [createScores(true), createScores()];
    const rules = { ...saved, blacklist: ['bad.example'] };
    const threatCheck = await judgeWith({ saved: rules, services: [billed.service, free.service] });
    const check = (url: string) => threatCheck.checkHost(new URL(url), signal);
    await check('http://s10.example/page?of=it');
    await assert.rejects(check('http://s90.example/page'), { code: 'unsafe_domain_blocked' });
    await assert.rejects(check('http://x.bad.example/'), { code: 'unsafe_domain_blocked' });
    assert.deepEqual(free.asked, ['http://s10.example/', 'http://s90.example/']);
    assert.deepEqual([billed.asked.length, threatCheck.credits()], [0, 0]);
  });

  test('an aborted caller does not wait', async () => {
    const silent: RiskService = { name: 'silent', isFree: false, ask: () => new Promise(() => {}) };
    const threatCheck = await judgeWith({ saved, services: [silent] });
    const aborting = new AbortController();
    const checked = threatCheck.check(new URL('http://a.example'), aborting.signal);
    aborting.abort(new Error('gone'));
    await assert.rejects(checked, /gone/);
  });
});

test('the domains of a key come before everything else, and need no policy', async () => {
  const keyDomains = ['a.example', '*.b.example'];
  const threatCheck = await judgeWith({ grant: 'absent' }, { keyDomains });
  assert.equal(await outcome(threatCheck, 'http://a.example/x'), 'allowed');
  assert.match(await outcome(threatCheck, 'http://b.example/'), /^403 KEY_RESTRICTED: .*a\.example, \*\.b\.example/);
  await assert.rejects(threatCheck.checkHost(new URL('http://b.example/'), signal), { code: 'KEY_RESTRICTED' });
  const strict = await judgeWith({ saved: { mode: 'manual-only', whitelist: ['c.example'] } }, { keyDomains });
  assert.match(await outcome(strict, 'http://c.example/'), /KEY_RESTRICTED/);
  assert.equal(strict.allowsByRules(new URL('http://c.example')), false);
});

test('safe mode blocks with its own code', async () => {
  const threatCheck = await judgeWith({ grant: 'absent', services: [createScores().service] }, { safeMode: true });
  assert.equal(await outcome(threatCheck, 'http://s49.example/'), 'allowed');
  assert.match(
    await outcome(threatCheck, 'http://s50.example/'),
    /^403 SAFE_MODE_BLOCKED: Blocked by threat protection: risk score 50 \(threshold 50\)\./,
  );
});
