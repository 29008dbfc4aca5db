// Several processes change the teams, keys and ledger of one database at once: each thing happens once, and nothing is lost.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { auditTarget } from '../../../../../src/contracts/team/audit-target.ts';
import type { Store } from '../../../../../src/store/ports/store.ts';
import type { AuditEvent } from '../../../../../src/store/ports/teams/audit-log.ts';
import { connect } from '../../../../../src/store/postgres/database/database.ts';
import { createPostgresDatabase } from '../../../../../src/store/postgres/database/queries.ts';
import { createCharges } from '../../../../../src/store/postgres/teams/charges.ts';
import { createLedger } from '../../../../../src/store/sql/teams/ledger.ts';
import { uuidv7 } from '../../../../../src/util/ids.ts';
import { createDatabase, hasPostgres } from '../../../../conformance/open-postgres.ts';
import { creditsSince, HOUR, MINUTE, START, sampleCharge } from '../../../../conformance/samples.ts';

const by = { actor: 'operator', at: START };
const PROCESSES = 3;

async function openSeveral(t: TestContext): Promise<Store[]> {
  const database = await createDatabase(t);
  return Promise.all(Array.from({ length: PROCESSES }, () => database.open()));
}

/** Each of the processes does it so many times, all at once. */
const race = <T>(stores: Store[], times: number, work: (store: Store, at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times * stores.length }, (_, at) => work(stores[at % stores.length]!, at)));

describe('several processes on one database', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('a team is created once', async (t) => {
    const stores = await openSeveral(t);
    const teams = await race(stores, 4, (store) => store.teams.ensureTeam('found', START));
    assert.equal(new Set(teams.map(({ id }) => id)).size, 1);
    const created = await race(stores, 4, (store) => store.teams.createTeam('made', {}, by));
    assert.equal(created.filter((team) => team !== undefined).length, 1);
    await race(stores, 4, (store, at) => store.teams.addKey({ hash: `h${at}`, prefix: `p${at}`, team: 'keys' }, by));
    const [listed] = await stores[0]!.teams.listTeams().then((all) => all.filter(({ name }) => name === 'keys'));
    assert.equal(listed?.keys, 12);
    const actions = (await stores[0]!.audit.list({ limit: 100 })).map(({ action, target }) => `${action} ${target}`);
    assert.equal(actions.filter((action) => action === 'team.created keys').length, 1);
  });

  test('the last key without restrictions stays, whoever removes or restricts the others', async (t) => {
    const stores = await openSeveral(t);
    const { teams } = stores[0]!;
    const keys = await race(stores, 2, (store, at) =>
      store.teams.addKey({ hash: `h${at}`, prefix: `p${at}`, team: 'a' }, by),
    );
    const ends = await race(stores, 2, (store, at) => {
      const name = { ...keys[at]!, unlessLast: true };
      return at % 2 === 0 ? store.teams.removeKey(name, by) : store.teams.changeKey(name, { expiresAt: START }, by);
    });
    assert.equal(ends.filter((end) => end === 'last').length, 1);
    const left = (await teams.listKeys()).filter(({ expiresAt }) => expiresAt === null);
    assert.equal(left.length, 1);
  });

  test('a link, an assertion and the last free requests are used once', async (t) => {
    const stores = await openSeveral(t);
    const [{ teams, consoleSessions, onboarding }] = stores as [Store, ...Store[]];
    const { id: teamId } = await teams.ensureTeam('a', START);
    await race(stores, 2, (store, at) => store.consoleSessions.setLink(`link ${at}`, START + HOUR));
    const times = { expiresAt: START + HOUR, endsAt: START + HOUR, maxSessions: 3 };
    const opened = await race(stores, 4, (store, at) =>
      store.consoleSessions.open(
        { hash: `s${at}`, teamId, proof: { openedWith: 'link' }, link: `link ${at % 6}`, ...times },
        by,
      ),
    );
    assert.equal(opened.filter(Boolean).length, 1, 'one link is left, and it opens one session');
    await race(stores, 3, (store, at) =>
      store.consoleSessions.open(
        { hash: `k${at}`, teamId, proof: { openedWith: 'operator-key', proof: 'p' }, ...times },
        by,
      ),
    );
    assert.equal((await consoleSessions.listHashes(START)).length, 1 + 3, 'more sessions than allowed end');
    const used = await race(stores, 4, (store) => store.onboarding.useAssertion('assertion', START));
    assert.equal(used.filter(Boolean).length, 1);
    const limits = { maxRequests: 5, maxCallers: 2 };
    const taken = await race(stores, 8, (store, at) => store.onboarding.takeKeyless(`caller ${at % 4}`, 1, limits));
    assert.equal(taken.filter(Boolean).length, 10, 'two callers have five requests each');
    const claims = await race(stores, 3, (store, at) =>
      store.onboarding.addAnonymous({
        teamId,
        claimHash: `c${at}`,
        expiresAt: START + HOUR,
        maxUnclaimed: 4,
        now: START,
      }),
    );
    assert.equal(claims.filter((claim) => claim !== undefined).length, 4);
    assert.equal(await onboarding.countUnclaimed(START), 4);
  });

  test('no charge is lost or counted twice while entries move into the totals', async (t) => {
    const stores = await openSeveral(t);
    const { id: teamId } = await stores[0]!.teams.ensureTeam('a', START);
    let isDone = false;
    const watching = (async () => {
      const sums: number[] = [];
      while (!isDone) sums.push(await creditsSince(stores[0]!, teamId, START));
      return sums;
    })();
    // More than 500 of each process, so that each moves entries into the totals.
    const charges = 520;
    await race(stores, charges, (store, at) =>
      store.ledger.add(sampleCharge(teamId, { credits: 1 + (at % 3), now: START + at })),
    );
    isDone = true;
    const sums = await watching;
    assert.deepEqual(
      sums,
      sums.toSorted((one, other) => one - other),
      'a sum never shrinks',
    );
    assert.equal(await creditsSince(stores[1]!, teamId, START), charges * (1 + 2 + 3));
  });

  test('a reader of the audit log that goes on after the last number misses no event', async (t) => {
    const stores = await openSeveral(t);
    const { id: teamId } = await stores[0]!.teams.ensureTeam('a', START);
    const event = (target: string): AuditEvent => ({
      ...by,
      teamId,
      action: 'key.created',
      target: auditTarget(target),
    });
    let isDone = false;
    const seen = new Set<string | undefined>();
    const follow = async (last: number): Promise<number> => {
      const events = await stores[0]!.audit.since(teamId, last, 1_000);
      for (const { target } of events) seen.add(target);
      return events.at(-1)?.id ?? last;
    };
    const following = (async () => {
      let last = 0;
      while (!isDone) last = await follow(last);
      return follow(last);
    })();
    await race(stores, 40, (store, at) => store.audit.addAll([event(`${at} first`), event(`${at} second`)]));
    isDone = true;
    await following;
    assert.equal(seen.size, 40 * PROCESSES * 2);
  });

  test('the events of a stream are handed out to one process, and to another one after a minute', async (t) => {
    const stores = await openSeveral(t);
    const { id: teamId } = await stores[0]!.teams.ensureTeam('a', START);
    const settings = { url: 'https://collector.test/', headers: {}, events: [] };
    await stores[0]!.siem.write({ isEnabled: true, settings }, { ...by, teamId, action: 'siem.changed' });
    const first = (await race(stores, 3, (store) => store.siem.due(START, 10))).flat();
    assert.equal(first.length, 1);
    const later = (await race(stores, 3, (store) => store.siem.due(START + MINUTE, 10))).flat();
    assert.deepEqual(later, first);
  });

  test('texts with characters that PostgreSQL refuses are stored and found', async (t) => {
    const [store] = (await openSeveral(t)) as [Store, ...Store[]];
    const { id } = await store.teams.ensureTeam('a\0b', START);
    assert.equal((await store.teams.findByName('a\0b'))?.id, id);
    const request = { id: 'r', target: 'query \0 \ud800', isRatable: true };
    await store.ledger.add(sampleCharge(id, { request }));
    const [listed] = await store.ledger.activity(id, { since: START, limit: 1 });
    assert.equal(listed?.target, 'query \0 \ufffd');
  });

  test('a charge that is written again, because its connection was lost, counts once', async (t) => {
    const { url } = await createDatabase(t);
    const database = connect({ url, connections: 4 });
    t.after(() => database.close());
    const teamId = 'a team';
    await database.sql`INSERT INTO teams (id, name, created_at) VALUES (${teamId}, 'team', ${START})`;
    const ledger = createLedger(createPostgresDatabase(database), createCharges({ database }));
    const request = { id: uuidv7(START), isRatable: true };
    for (const charge of [sampleCharge(teamId, { credits: 3 }), sampleCharge(teamId, { credits: 4, request })]) {
      const once = uuidv7(START);
      await Promise.all([1, 2, 3].map(() => ledger.add({ ...charge, once })));
    }
    assert.equal(await creditsSince({ ledger }, teamId, START - HOUR), 7);
  });
});
