// Every ConsoleSessionStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Store } from '../../src/store/ports/store.ts';
import type { NewConsoleSession } from '../../src/store/ports/teams/console-session-store.ts';
import { MINUTE, type OpenStore, START } from './samples.ts';

const HOUR = 60 * MINUTE;
const by = (at: number) => ({ actor: 'operator', at });

async function opener({ consoleSessions, teams }: Store) {
  const { id: teamId } = await teams.ensureTeam('default', START);
  return (hash: string, more: Partial<NewConsoleSession> = {}, now = START) =>
    consoleSessions.open(
      {
        ...{ hash, teamId, proof: { openedWith: 'link' }, maxSessions: 10 },
        ...{ expiresAt: START + 3 * HOUR, endsAt: START + HOUR, ...more },
      },
      by(now),
    );
}

export function testConsoleSessionStore(adapter: string, open: OpenStore): void {
  describe(`ConsoleSessionStore on ${adapter}`, () => {
    test('a link opens one session, however many use it at the same time', async (t) => {
      const store = await open(t);
      const openSession = await opener(store);
      await store.consoleSessions.setLink('link', START + HOUR);
      const uses = Array.from({ length: 32 }, (_, at) => openSession(`s${at}`, { link: 'link' }));
      const won = await Promise.all(uses);
      assert.equal(won.filter(Boolean).length, 1);
      const found = await Promise.all(won.map((_, at) => store.consoleSessions.find(`s${at}`, START, HOUR)));
      assert.deepEqual(
        found.map((session) => session !== undefined),
        won,
      );
    });

    test('a link ends at its time, and with the next link', async (t) => {
      const store = await open(t);
      const openSession = await opener(store);
      await store.consoleSessions.setLink('old', START + HOUR);
      assert.equal(await openSession('late', { link: 'old' }, START + HOUR), false);
      await store.consoleSessions.setLink('new', START + HOUR);
      assert.equal(await openSession('a', { link: 'old' }), false);
      assert.equal(await openSession('b', { link: 'new' }, START + HOUR - 1), true);
    });

    test('a session lasts while it is used, but not longer than its time', async (t) => {
      const store = await open(t);
      await (await opener(store))('s');
      const find = (now: number) => store.consoleSessions.find('s', now, HOUR);
      assert.equal((await find(START + HOUR - 1))?.endsAt, START + 2 * HOUR - 1);
      await store.pages.sweep(START + HOUR);
      await find(START + 2 * HOUR - 2 * MINUTE);
      assert.equal((await find(START + 3 * HOUR - 3 * MINUTE))?.endsAt, START + 3 * HOUR);
      assert.deepEqual((await find(START + 3 * HOUR - 1))?.proof, { openedWith: 'link' });
      assert.equal(await find(START + 3 * HOUR), undefined);
      assert.deepEqual(await store.consoleSessions.findValid(['s', 'other'], START + 2 * HOUR), ['s']);
      assert.deepEqual(await store.consoleSessions.findValid(['s'], START + 3 * HOUR), []);
    });

    test('a session that is not used ends, and is removed', async (t) => {
      const store = await open(t);
      const openSession = await opener(store);
      await openSession('s');
      assert.equal(await store.consoleSessions.find('s', START + HOUR, HOUR), undefined);
      await store.pages.sweep(START + HOUR);
      assert.equal(await openSession('s'), true);
    });

    test('the session of a key has its owner and ends with that secret of the key', async (t) => {
      const store = await open(t);
      const openSession = await opener(store);
      const limits = { operations: ['map' as const] };
      const key = await store.teams.addKey({ hash: 'k1', prefix: 'fc-1', team: 'other', limits }, by(START));
      await openSession('s', { teamId: key.teamId, proof: { openedWith: 'key', keyHash: 'k1' } });
      const found = await store.consoleSessions.find('s', START + 1, HOUR);
      assert.deepEqual([found?.owner?.keyId, found?.owner?.limits, found?.owner?.team.name], [key.id, limits, 'other']);
      const secret = { hash: 'k2', previousUntil: START + MINUTE };
      await store.teams.rotateKey({ id: key.id, teamId: key.teamId }, secret, by(START));
      assert.deepEqual(await store.consoleSessions.findValid(['s'], START + MINUTE - 1), ['s']);
      assert.deepEqual(await store.consoleSessions.findValid(['s'], START + MINUTE), []);
      assert.equal(await store.consoleSessions.find('s', START + MINUTE, HOUR), undefined);
      // It does not come back, whatever becomes of the key.
      assert.equal(await store.consoleSessions.find('s', START + 1, HOUR), undefined);
    });

    test('opening too many sessions ends the oldest of the same key', async (t) => {
      const store = await open(t);
      const openSession = await opener(store);
      const keyed = (keyHash: string) => ({ proof: { openedWith: 'key' as const, keyHash }, maxSessions: 2 });
      for (const hash of ['k1', 'k2'])
        await store.teams.addKey({ hash, prefix: `fc-${hash}`, team: 'default' }, by(START));
      await openSession('other', keyed('k2'), START);
      for (const at of [1, 2, 3]) await openSession(`s${at}`, keyed('k1'), START + at);
      const valid = await store.consoleSessions.findValid(['other', 's1', 's2', 's3'], START + 4);
      assert.deepEqual(valid, ['other', 's2', 's3']);
    });

    test('a login takes the place of the session before it; logins and logouts are recorded', async (t) => {
      const store = await open(t);
      const openSession = await opener(store);
      await openSession('a');
      await openSession('b', { replaces: 'a' });
      assert.deepEqual(await store.consoleSessions.findValid(['a', 'b'], START), ['b']);
      assert.deepEqual(await store.consoleSessions.listHashes(START), ['b']);
      assert.deepEqual(await store.consoleSessions.listHashes(START + HOUR), []);
      await store.consoleSessions.close('b', by(START + 1));
      await store.consoleSessions.close('b', by(START + 2));
      assert.deepEqual(await store.consoleSessions.findValid(['a', 'b'], START + 1), []);
      const events = await store.audit.list({ limit: 10 });
      const actions = events.map(({ action }) => action).filter((action) => action.startsWith('console.'));
      assert.deepEqual(actions, ['console.logout', 'console.login', 'console.login']);
    });
  });
}
