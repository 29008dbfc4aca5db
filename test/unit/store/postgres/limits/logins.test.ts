// Logins that begin at one process and go on at another, and how often an address may try, whichever process it reaches.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { createCliLogins, LOGIN_MS } from '../../../../../src/operations/onboarding/cli-login.ts';
import { createTurnsBy, takeTurn } from '../../../../../src/operations/onboarding/take-turn.ts';
import { hasPostgres } from '../../../../conformance/open-postgres.ts';
import { START } from '../../../../conformance/samples.ts';
import { openProcesses, type SharedProcess } from './processes.ts';

const VERIFIER = 'v'.repeat(43);
const LOGIN = { sessionId: 'a'.repeat(64), codeVerifier: VERIFIER };
const APPROVED = { ...LOGIN, codeChallenge: createHash('sha256').update(VERIFIER).digest('base64url') };
const isElsewhere = () => false;

function createScene(processes: SharedProcess[]) {
  const scene = { time: START, made: 0, isFailing: false };
  const clock = { now: () => scene.time };
  const logins = processes.map(({ limits }) =>
    createCliLogins({
      async createKey() {
        if (scene.isFailing) throw new Error('failed');
        scene.made += 1;
        return `fc-${scene.made}`;
      },
      audit: { add: async () => {} },
      approvals: limits.loginApprovals,
      clock,
    }),
  );
  return Object.assign(scene, { logins, clock });
}

describe('logins at several processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('what one process approved is fetched from another one, by one program', async (t) => {
    const scene = createScene(await openProcesses(t, 3));
    const { logins } = scene;
    const approver = { team: { id: 'team', name: 'ours', settings: { plan: 'free' } }, key: 'fc-12345678' };
    await logins[0]!.approve(APPROVED, approver);
    assert.equal(await logins[1]!.fetch({ ...LOGIN, codeVerifier: 'w'.repeat(43) }, isElsewhere), undefined);
    scene.isFailing = true;
    await assert.rejects(logins[1]!.fetch(LOGIN, isElsewhere), /failed/);
    scene.isFailing = false;
    const fetched = await Promise.all(Array.from({ length: 9 }, (_, at) => logins[at % 3]!.fetch(LOGIN, isElsewhere)));
    assert.deepEqual(
      fetched.filter((key) => key !== undefined),
      [{ key: 'fc-1', teamName: 'ours' }],
    );
    await logins[0]!.approve(APPROVED, approver);
    scene.time += LOGIN_MS;
    assert.equal(await logins[2]!.fetch(LOGIN, isElsewhere), undefined);
  });

  test('an address has as many turns at all processes together as at one', async (t) => {
    const processes = await openProcesses(t, 2);
    const scene = createScene(processes);
    const turns = processes.map(({ limits }) =>
      createTurnsBy(scene.clock, limits.tokenBuckets)('logins', { burst: 5, everyMs: 60_000 }),
    );
    const taken = async (address: string) => {
      const asked = Array.from({ length: 12 }, (_, at) => takeTurn(turns[at % 2]!, address));
      return (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled').length;
    };
    assert.deepEqual([await taken('192.0.2.1'), await taken('192.0.2.2')], [5, 5]);
    assert.equal(await taken('2001:db8::1'), 5);
    assert.equal(await taken('2001:db8::2'), 0, 'one network is one caller');
    await assert.rejects(takeTurn(turns[0]!, '192.0.2.1'), { code: 'rate_limited', retryAfter: 60 });
    scene.time += 60_000;
    assert.equal(await taken('192.0.2.1'), 1);
  });
});
