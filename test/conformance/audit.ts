// Every AuditLog adapter passes these tests.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { auditTarget } from '../../src/contracts/team/audit-target.ts';
import type { AuditEvent } from '../../src/store/ports/teams/audit-log.ts';
import { DAY, type OpenStore, START } from './samples.ts';

export function testAuditLog(adapter: string, open: OpenStore): void {
  const openLog = async (t: TestContext) => {
    const store = await open(t);
    const [a, b] = [await store.teams.ensureTeam('a', START), await store.teams.ensureTeam('b', START)];
    const event = (more: Partial<AuditEvent> = {}): AuditEvent => ({
      at: START,
      teamId: a.id,
      actor: 'operator',
      action: 'key.created',
      ...more,
    });
    const targets = async (query: Partial<Parameters<typeof store.audit.list>[0]> = {}) =>
      (await store.audit.list({ limit: 100, ...query })).map(({ target }) => target);
    return { ...store, team: a.id, other: b.id, event, targets };
  };

  describe(`AuditLog on ${adapter}`, () => {
    test('an event is read as it was written, with a number that increases', async (t) => {
      const { audit, event, team } = await openLog(t);
      const full = event({
        address: '2001:db8::1',
        target: auditTarget('fc-1'),
        details: { label: 'Ärger', n: 1, isOn: true },
      });
      await audit.add(full);
      await audit.add(event());
      const [newest, oldest] = await audit.list({ limit: 10 });
      assert.deepEqual(
        [oldest, newest],
        [
          { id: oldest!.id, ...full },
          { id: newest!.id, ...event() },
        ],
      );
      assert.ok(newest!.id > oldest!.id);
      assert.deepEqual(await audit.since(team, oldest!.id, 10), [newest]);
    });

    test('the log lists the newest first, by team, by action, and page by page', async (t) => {
      const { audit, event, targets, team, other } = await openLog(t);
      await audit.addAll([
        event({ target: auditTarget('1') }),
        event({ target: auditTarget('2'), teamId: other }),
        event({ target: auditTarget('3'), action: 'key.revoked' }),
        event({ target: auditTarget('4') }),
      ]);
      assert.deepEqual(await targets(), ['4', '3', '2', '1']);
      assert.deepEqual(await targets({ teamId: team }), ['4', '3', '1']);
      assert.deepEqual(await targets({ teamId: other }), ['2']);
      assert.deepEqual(await targets({ teamId: team, action: 'key.created' }), ['4', '1']);
      assert.deepEqual(await targets({ action: 'key.revoked' }), ['3']);
      const [first] = await audit.list({ teamId: team, limit: 1 });
      assert.deepEqual(await targets({ teamId: team, before: first!.id, limit: 1 }), ['3']);
    });

    test('a stream reads the oldest first, of its team alone', async (t) => {
      const { audit, event, team, other } = await openLog(t);
      await audit.addAll(['1', '2', '3'].map((target) => event({ target: auditTarget(target) })));
      await audit.add(event({ target: auditTarget('theirs'), teamId: other }));
      const read = await audit.since(team, 0, 2);
      assert.deepEqual(
        read.map(({ target }) => target),
        ['1', '2'],
      );
      const rest = await audit.since(team, read[1]!.id, 2);
      assert.deepEqual(
        rest.map(({ target }) => target),
        ['3'],
      );
    });

    test('events of a team that is gone are ignored, and the others of the batch are written', async (t) => {
      const { audit, event, targets } = await openLog(t);
      await audit.addAll([
        event({ target: auditTarget('1') }),
        event({ target: auditTarget('2'), teamId: 'gone' }),
        event({ target: auditTarget('3') }),
      ]);
      assert.deepEqual(await targets(), ['3', '1']);
    });

    test('texts and details are bounded', async (t) => {
      const { audit, event } = await openLog(t);
      const long = 'x'.repeat(10_000);
      await audit.add(event({ actor: long, address: long, target: auditTarget(long), details: { long } }));
      const [{ actor, address, target, details } = assert.fail()] = await audit.list({ limit: 1 });
      assert.deepEqual([actor.length, address?.length, target?.length], [256, 256, 256]);
      assert.deepEqual(details, { detailsOmitted: true });
    });

    test('events are removed after 400 days', async (t) => {
      const { audit, pages, event, targets } = await openLog(t);
      await audit.addAll([
        event({ target: auditTarget('old') }),
        event({ target: auditTarget('newer'), at: START + DAY }),
      ]);
      await pages.sweep(START + 400 * DAY - 1);
      assert.deepEqual(await targets(), ['newer', 'old']);
      await pages.sweep(START + 400 * DAY);
      assert.deepEqual(await targets(), ['newer']);
    });
  });
}
