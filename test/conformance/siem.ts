// Every SiemStore adapter passes these tests.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { auditTarget } from '../../src/contracts/team/audit-target.ts';
import type { AuditEvent } from '../../src/store/ports/teams/audit-log.ts';
import type { SiemBatch, SiemSettings } from '../../src/store/ports/teams/siem-store.ts';
import { MINUTE, type OpenStore, START } from './samples.ts';

const SECOND = 1_000;
const SETTINGS: SiemSettings = {
  url: 'https://collector.test/in',
  token: 'a token',
  headers: { 'X-Index': 'trawl' },
  events: [],
};

const targets = ({ events }: SiemBatch) => events.map(({ target }) => target);
const upTo = ({ id, events }: SiemBatch) => ({ id, upTo: events.at(-1)!.id });

export function testSiemStore(adapter: string, open: OpenStore): void {
  const openStream = async (t: TestContext) => {
    const { siem, audit, teams } = await open(t);
    const team = await teams.ensureTeam('a', START);
    const other = await teams.ensureTeam('b', START);
    const event = (target: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
      ...{ at: START, teamId: team.id, actor: 'fc-1', action: 'key.created', target: auditTarget(target) },
      ...more,
    });
    const change = (more: Partial<AuditEvent> = {}) => event('change', { action: 'siem.changed', ...more });
    const enable = (settings: Partial<SiemSettings> = {}, isEnabled = true) =>
      siem.write({ isEnabled, settings: { ...SETTINGS, ...settings } }, change());
    const add = (...names: string[]) => audit.addAll(names.map((name) => event(name)));
    return { siem, audit, team, other, event, change, enable, add };
  };

  describe(`SiemStore on ${adapter}`, () => {
    test('settings are read as they were written, and a team without them has none', async (t) => {
      const { siem, team, other, enable } = await openStream(t);
      assert.equal(await siem.read(team.id), undefined);
      assert.equal(await siem.nextAt(), undefined);
      await enable();
      assert.deepEqual(await siem.read(team.id), {
        ...{ isEnabled: true, settings: SETTINGS, updatedAt: START, backlog: 1 },
      });
      assert.equal(await siem.read(other.id), undefined);
    });

    test('a stream begins with the change that enabled it, and has the events of its team in order', async (t) => {
      const { siem, audit, team, other, event, enable, add } = await openStream(t);
      await add('before');
      await enable();
      await add('1', '2');
      await audit.add(event('theirs', { teamId: other.id }));
      const [batch = assert.fail(), ...more] = await siem.due(START, 10);
      assert.deepEqual(more, []);
      assert.deepEqual(targets(batch), ['change', '1', '2']);
      assert.deepEqual([batch.teamId, batch.team, batch.settings, batch.attempts], [team.id, 'a', SETTINGS, 0]);
    });

    test('a batch is not handed out again while it is sent, and comes back if nobody says how it ended', async (t) => {
      const { siem, enable, add } = await openStream(t);
      await enable();
      const [first] = await siem.due(START, 10);
      await add('1');
      assert.deepEqual(await siem.due(START + MINUTE - 1, 10), []);
      const [again = assert.fail()] = await siem.due(START + MINUTE, 10);
      assert.deepEqual(targets(again), ['change', '1']);
      // The first attempt ends after all: only what it had sent is done.
      await siem.settle(upTo(first!), 'delivered', START + MINUTE);
      const [rest = assert.fail()] = await siem.due(START + 2 * MINUTE, 10);
      assert.deepEqual(targets(rest), ['1']);
    });

    test('what was delivered is not sent again; later events are collected for a second', async (t) => {
      const { siem, team, enable, add } = await openStream(t);
      await enable();
      const [batch] = await siem.due(START, 10);
      await siem.settle(upTo(batch!), 'delivered', START);
      await add('1', '2');
      assert.deepEqual(await siem.due(START + SECOND - 1, 10), []);
      assert.equal(await siem.nextAt(), START + SECOND);
      const [next = assert.fail()] = await siem.due(START + SECOND, 10);
      assert.deepEqual(targets(next), ['1', '2']);
      const { lastDeliveredAt, backlog } = (await siem.read(team.id))!;
      assert.deepEqual([lastDeliveredAt, backlog], [START, 2]);
    });

    test('batches have 500 events, and the next full one is due at once', async (t) => {
      const { siem, enable, add } = await openStream(t);
      await enable();
      await add(...Array.from({ length: 1_100 }, (_, number) => `${number}`));
      const seen: (string | undefined)[] = [];
      for (const [now, size] of [
        [START, 500],
        [START, 500],
        [START + SECOND, 101],
      ] as const) {
        const [batch = assert.fail()] = await siem.due(now, 10);
        assert.equal(batch.events.length, size);
        seen.push(...targets(batch));
        await siem.settle(upTo(batch), 'delivered', now);
      }
      assert.deepEqual(seen, ['change', ...Array.from({ length: 1_100 }, (_, number) => `${number}`)]);
      assert.deepEqual(await siem.due(START + MINUTE, 10), []);
    });

    test('after a failure the same events are due again, and the stream says since when and why', async (t) => {
      const { siem, team, enable, add } = await openStream(t);
      await enable();
      const [batch] = await siem.due(START, 10);
      await siem.settle(upTo(batch!), { retryAt: START + MINUTE }, START + 1, 'Status 500.');
      await add('1');
      assert.deepEqual(await siem.due(START + MINUTE - 1, 10), []);
      const [again = assert.fail()] = await siem.due(START + MINUTE, 10);
      assert.deepEqual([targets(again), again.attempts], [['change', '1'], 1]);
      await siem.settle(upTo(again), { retryAt: START + 2 * MINUTE }, START + MINUTE, 'Status 503.');
      const failing = (await siem.read(team.id))!;
      assert.deepEqual([failing.failingSince, failing.lastError, failing.backlog], [START + 1, 'Status 503.', 2]);
      const [third] = await siem.due(START + 2 * MINUTE, 10);
      await siem.settle(upTo(third!), 'delivered', START + 2 * MINUTE);
      const { failingSince, lastError, backlog } = (await siem.read(team.id))!;
      assert.deepEqual([failingSince, lastError, backlog], [undefined, undefined, 0]);
    });

    test('only the wanted kinds are sent, and the others do not hold them up', async (t) => {
      const { siem, audit, team, event, enable, add } = await openStream(t);
      await enable({ events: ['key.revoked'] });
      await add(...Array.from({ length: 600 }, (_, number) => `${number}`));
      assert.deepEqual(await siem.due(START, 10), []);
      await audit.add(event('wanted', { action: 'key.revoked' }));
      assert.equal((await siem.read(team.id))!.backlog, 1);
      const [batch = assert.fail()] = await siem.due(START, 10);
      assert.deepEqual(targets(batch), ['wanted']);
    });

    test('a disabled stream sends nothing, and goes on where it was when it is enabled again', async (t) => {
      const { siem, enable, add } = await openStream(t);
      await enable();
      const [batch] = await siem.due(START, 10);
      await siem.settle(upTo(batch!), 'delivered', START);
      await enable({}, false);
      await add('meanwhile');
      assert.deepEqual(await siem.due(START + MINUTE, 10), []);
      assert.equal(await siem.nextAt(), undefined);
      await enable();
      const [next = assert.fail()] = await siem.due(START + MINUTE, 10);
      assert.deepEqual(targets(next), ['change', 'meanwhile', 'change']);
    });

    test('new settings end the pause after a failure', async (t) => {
      const { siem, enable } = await openStream(t);
      await enable();
      const [batch] = await siem.due(START, 10);
      await siem.settle(upTo(batch!), { retryAt: START + 60 * MINUTE }, START, 'No.');
      await enable({ url: 'https://better.test/' });
      const [next = assert.fail()] = await siem.due(START, 10);
      assert.deepEqual([next.attempts, next.settings.url], [0, 'https://better.test/']);
    });
  });
}
