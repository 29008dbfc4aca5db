// An index in its own process: ours and the FTS5 baseline.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createCorpus } from '../../../../bench/corpus/corpus.ts';
import { startIndex } from '../../../../bench/index/index-process.ts';
import type { BenchQuery } from '../../../../bench/index/index-queries.ts';
import { sizeOf } from '../../../../bench/index/index-size.ts';
import { fullTest, test } from '../../../support/full-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'trawl-bench-'));
after(() => rmSync(folder, { recursive: true }));

const corpus = createCorpus(60);
const changes = Array.from({ length: 60 }, (_, number) => corpus.page(number).change);
const word = corpus.entry(0).body.match(/[a-z]{5,}/)![0];
const query = (text: string): BenchQuery => ({ text, match: text, source: 'web', sortByDate: false });

for (const engine of ['trawl-engine.ts', 'fts5-engine.ts']) {
  fullTest(`${engine} ingests and finds pages, and reports its time and size`, async () => {
    const file = join(folder, `${engine}.db`);
    const index = await startIndex(engine, file);
    await index.apply(changes);
    const { cpuSeconds, applySeconds } = await index.settle();
    assert.ok(cpuSeconds > 0 && applySeconds > 0);
    const queries = [query(word), query('qqqqqqq')];
    const timed = await index.ask({ queries, every: 0, within: 60_000 });
    await index.stop();
    assert.deepEqual(
      timed.map(({ hits }) => hits > 0),
      [true, false],
    );
    for (const { cpuMs, ms } of timed) assert.ok(cpuMs > 0 && ms > 0);
    assert.ok(sizeOf(file).wholeMb > 0);
  });
}

test('the size is reported per part, with the FTS5 tables counted as one', async () => {
  const file = join(folder, 'parts.db');
  const index = await startIndex('trawl-engine.ts', file);
  await index.apply(changes);
  await index.stop();
  const { wholeMb, partsMb } = sizeOf(file);
  for (const name of ['fts', 'texts', 'links']) assert.ok(partsMb.get(name)! > 0, name);
  const sum = [...partsMb.values()].reduce((total, mb) => total + mb, 0);
  assert.ok(sum <= wholeMb && sum > wholeMb * 0.8);
});
