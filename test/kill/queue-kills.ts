// Kills the process repeatedly during a job, and looks at what it left after each time.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { uuidv7 } from '../../src/util/ids.ts';
import { documentsOf } from '../conformance/job-samples.ts';
import { START } from '../conformance/samples.ts';
import { folderProblems } from './data-folder.ts';
import { type Kill, writeUntilKilled } from './write-until-killed.ts';

const WRITER = join(import.meta.dirname, 'queue-writer.ts');

function assertCountersAgree(dataDir: string) {
  const database = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  const ask = (sql: string) => Object.values(database.prepare(sql).get() ?? {});
  assert.deepEqual(
    ask('SELECT total, completed, completed AS results, credits FROM jobs'),
    ask(
      `SELECT count(*), sum(state = 'done'), (SELECT count(*) FROM scrapes), (SELECT sum(credits) FROM usage) FROM tasks`,
    ),
  );
  assert.deepEqual(
    ask(`SELECT count(*) FROM tasks WHERE state = 'running'`),
    [0],
    'claims of dead processes were not released',
  );
  database.close();
}

/** No page is lost or duplicated, each has its look in the history, and the counters are right. */
export async function killDuringJob(t: TestContext, kills: readonly Kill[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-kill-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const id = uuidv7(START);
  const acknowledged: number[] = [];
  for (const [acknowledgements, delayMs] of kills) {
    acknowledged.push(...(await writeUntilKilled([WRITER, dataDir, id], acknowledgements, delayMs)));
    const store = await openSqliteStore({ dataDir, cacheMaxBytes: 1e9 });
    t.after(() => store.close());
    assert.deepEqual(folderProblems(dataDir), []);
    const { id: teamId } = await store.teams.ensureTeam('default', START);
    if (await store.jobs.view(id, teamId, START)) assertCountersAgree(dataDir);
    const urls = (await documentsOf({ store, id, teamId })).map(({ metadata }) => metadata.sourceURL);
    const found = new Set(urls);
    assert.equal(found.size, urls.length, 'a page is there twice');
    const looks = await store.history.known('site', '', 1_000_000);
    assert.deepEqual(new Set(looks), found, 'each page is stored with its look, and no look without its page');
    for (const number of acknowledged) assert.ok(found.has(`http://site.test/${number}`), `page ${number}`);
    await store.close();
  }
  assert.equal(new Set(acknowledged).size, acknowledged.length, 'a finished page was fetched again');
  t.diagnostic(`${acknowledged.length} pages were acknowledged before ${kills.length} kills`);
}
