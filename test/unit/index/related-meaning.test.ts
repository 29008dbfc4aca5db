// `related:` also finds pages that are about the same in other words.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPageIndex } from '../../../src/index/open-index.ts';
import { vectorise } from '../../conformance/page-index-meaning.ts';
import { feed, queryOf, searchOf } from '../../conformance/page-index-samples.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

test('pages of other hosts whose vectors are near to those of a host are related to it', async (t) => {
  const index = await openPageIndex({ file: join(temporaryFolder(t), 'index.db') });
  t.after(() => index.close());
  // The first word of a page stands for what it is about.
  const bodies = { boats: 'boats with white sails', vessels: 'boats', cakes: 'cakes of flour and sugar' };
  const pages = Object.entries(bodies).map(([host, body]) => ({ url: `https://${host}.example/`, title: host, body }));
  await feed(index, ...pages);
  const related = async () =>
    (await index.web(searchOf(queryOf('related:boats.example')))).map(({ url }) => new URL(url).host);
  assert.deepEqual(await related(), []);
  await vectorise(index);
  assert.deepEqual(await related(), ['vessels.example']);
});
