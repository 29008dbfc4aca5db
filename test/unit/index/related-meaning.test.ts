// `related:` also finds pages that are about the same in other words.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPageIndex } from '../../../src/index/open-index.ts';
import { parseQuery } from '../../../src/search/query/query.ts';
import { vectorAbout } from '../../conformance/page-index-meaning.ts';
import { feed, searchOf } from '../../conformance/page-index-samples.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

test('pages of other hosts whose vectors are near to those of a host are related to it', async (t) => {
  const index = await openPageIndex({ file: join(temporaryFolder(t), 'index.db') });
  t.after(() => index.close());
  const bodies = { boats: 'sloops with white sails', vessels: 'ketches under canvas', cakes: 'flour and sugar' };
  const pages = Object.entries(bodies).map(([host, body]) => ({ url: `https://${host}.example/`, title: host, body }));
  await feed(index, ...pages);
  const related = async () =>
    (await index.web(searchOf(parseQuery('related:boats.example')))).map(({ url }) => new URL(url).host);
  assert.deepEqual(await related(), []);
  const missing = await index.missingVectors(10);
  const topicOf = (text: string) => (text.includes('flour') ? 'cakes' : 'boats');
  await index.addVectors(missing.pages.map(({ docId, text }) => ({ docId, vector: vectorAbout(topicOf(text)) })));
  assert.deepEqual(await related(), ['vessels.example']);
});
