// A small change of a large collection reads and writes a few rows: every statement that it runs finds them by an index, and none
// of those is asked for all members of the collection.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { test } from 'node:test';
import { addCollection, at, begin, endRun, read } from '../../conformance/collections.ts';
import { START } from '../../conformance/samples.ts';
import { openTemporaryStore } from './temporary-folder.ts';

const MEMBERS = 100_000;
const EVERY_MEMBER = /^SCAN (?!CONSTANT ROW|json_each)|\bcollection_members\b.*\(collection=\?\)/;

/** As many pages of another target, which no run of this test is about. */
function fill(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MEMBERS})
    INSERT INTO collection_members (collection, team_id, target_id, url, state, change, changed_at, hash, chunk_ids)
    SELECT number, team_id, 'bulk', 'https://bulk.test/' || n, 'present', n, ${START}, 'hash', '[]'
    FROM collections, numbers;
    UPDATE collections SET last_change = ${MEMBERS}, pages = ${MEMBERS};`);
  database.close();
}

test(`one page that changes in ${MEMBERS} is found by indexes alone`, async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const { collection } = await addCollection(store);
  const file = join(dataDir, 'store.db');
  fill(file);
  const { collections } = store;
  const first = await begin(store, collection);
  await collections.savePages(first.by, [await read(store, collection.teamId, 'a', 'one')]);
  await endRun(store, first.run);
  const { by } = await begin(store, collection, START + 1);
  const changed = await read(store, collection.teamId, 'a', 'two');

  const ran = new Set<string>();
  let rows = 0;
  for (const name of ['run', 'get', 'all'] as const) {
    const original = StatementSync.prototype[name] as (this: StatementSync, ...values: unknown[]) => unknown;
    t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: unknown[]) {
      ran.add(this.sourceSQL);
      const answer = original.apply(this, values);
      rows += Array.isArray(answer)
        ? answer.length
        : Number((answer as { changes?: number } | undefined)?.changes ?? 1);
      return answer;
    } as never);
  }
  assert.deepEqual(await collections.addPages(collection.id, [at('new')]), { added: 1 });
  const added = await collections.addedPages(collection.id, { after: 0, limit: 10, isNew: true });
  assert.equal(added.length, 1);
  await collections.savePages(by, [changed, { url: at('new'), found: { state: 'problem', problem: 'Closed.' } }]);
  await collections.keepDuplicates(by, 'a job');
  await collections.problemsOf(by, 10);
  await collections.deleteGone(by, 10);
  await collections.deleteUnreached(by, 10);
  assert.equal((await collections.targetsOf(collection.id)).length, 2);
  const until = (await collections.find(collection.teamId, collection.name, START))!.lastChange;
  const since = { after: MEMBERS, until, limit: 500, onlyPresent: false };
  assert.equal((await collections.changes(collection.id, since))!.length, 1);
  await collections.members(collection.id, { after: '', limit: 10 });
  assert.deepEqual(await collections.removePages(collection.id, [at('new')], START), { removed: 1 });
  await store.stored.remove([at('a')], { owners: [], teamId: collection.teamId, now: START });
  t.mock.restoreAll();

  assert.ok(ran.size > 20);
  const database = new DatabaseSync(file, { readOnly: true });
  const plans = [...ran]
    .filter((statement) => !statement.includes('(FALSE)'))
    .flatMap((statement) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${statement}`)
        .all()
        .map(({ detail }) => `${detail} in ${statement}`),
    );
  database.close();
  assert.deepEqual(
    plans.filter((plan) => EVERY_MEMBER.test(plan)),
    [],
  );
  assert.ok(rows < 200, `${rows} rows were read or written`);
});
