// "Did you mean": only for words on hardly any page, only from pages that the viewer may see.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPageIndex } from '../../../src/index/open-index.ts';
import { feed, queryOf, searchOf } from '../../conformance/page-index-samples.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';

test('another query is offered where a word looks like a typing mistake and the other finds clearly more', async (t) => {
  const index = await openPageIndex({ file: join(temporaryFolder(t), 'index.db') });
  t.after(() => index.close());
  const bodies = [
    'An international conference about seals',
    'Conferences in the node js world',
    'The conference of seals',
  ];
  await feed(index, ...bodies.map((body, at) => ({ url: `https://h${at}.example/`, body })));
  const suggest = (text: string, more: object = {}) =>
    index.suggest({ ...searchOf(queryOf(text)), setApart: [], ...more });
  assert.equal(await suggest('confernce seals'), 'conference seals');
  assert.equal(await suggest('Internatoinal'), 'international');
  assert.equal(await suggest('nodejs'), 'node js');
  assert.equal(await suggest('seals'), null);
  assert.equal(await suggest('xylophone'), null);
  assert.equal(await suggest('"confernce seals"'), null, 'what is quoted is meant');
  assert.equal(await suggest('confernce', { viewer: [] }), null, 'pages of others say nothing');
});
