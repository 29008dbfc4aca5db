// Outcomes that were read a moment ago are not read again, as long as they are the ones that the store has.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { SHARED } from '../../../../src/page/page-owner.ts';
import { keepOutcomes } from '../../../../src/store/calls/kept-outcomes.ts';
import { toStored } from '../../../../src/store/encoding/stored-outcome.ts';
import type { IntactPage, KeptQuery } from '../../../../src/store/sql/pages/cache/page-finder.ts';
import {
  markdownOf,
  pageToStore,
  queryFor,
  sampleOutcome,
  samplePage,
  sampleResult,
} from '../../../conformance/samples.ts';
import { openTemporaryStore } from '../temporary-folder.ts';

const URL = 'http://site.test/';

async function openWithPage(t: TestContext) {
  const { dataDir, store } = await openTemporaryStore(t);
  const save = (text: string) => store.pages.save(pageToStore('key', URL, samplePage('<p>'), null, sampleResult(text)));
  await save('first');
  const read = async () => {
    const found = await store.pages.find(queryFor('key'));
    return found && ('outcome' in found ? markdownOf(found.outcome) : 'bytes');
  };
  return { dataDir, store, save, read };
}

test('a result that was read is kept, and is not read again', async (t) => {
  const { dataDir, read } = await openWithPage(t);
  assert.equal(await read(), 'first');
  const database = new DatabaseSync(join(dataDir, 'store.db'));
  database.exec("UPDATE bodies SET bytes = x'00' WHERE id IN (SELECT body_id FROM results)");
  database.close();
  assert.equal(await read(), 'first');
});

test('a newer version takes its place, and a removed page is not found', async (t) => {
  const { store, save, read } = await openWithPage(t);
  assert.equal(await read(), 'first');
  await save('second');
  assert.equal(await read(), 'second');
  assert.equal(await read(), 'second');
  await store.pages.delete(URL, SHARED);
  assert.equal(await read(), undefined);
});

test('what is kept is bounded: a result that is too large is read each time', async () => {
  const asked: (string | undefined)[] = [];
  const find = keepOutcomes(async ({ key, keptResult }: KeptQuery) => {
    asked.push(keptResult);
    const stored = new Uint8Array(toStored(sampleOutcome('word '.repeat(key === 'large' ? 1_000_000 : 1))));
    const page = { pageId: 1, header: samplePage('') };
    return { ...page, resultId: key, stored: keptResult === undefined ? stored : undefined } satisfies IntactPage;
  });
  for (const key of ['small', 'small', 'large', 'large']) await find(queryFor(key));
  assert.deepEqual(asked, [undefined, 'small', undefined, undefined]);
});
