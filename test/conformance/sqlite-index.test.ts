// The embedded index passes the conformance suites of the index.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openPageIndex } from '../../src/index/open-index.ts';
import { testPageIndex } from './page-index.ts';
import { testIndexFind } from './page-index-find.ts';
import { testIndexImages } from './page-index-images.ts';
import { testIndexMeaning } from './page-index-meaning.ts';
import { testIndexOperators } from './page-index-operators.ts';
import { testIndexOrder } from './page-index-order.ts';
import { testIndexOwners } from './page-index-owners.ts';
import type { OpenIndex } from './page-index-samples.ts';

// One thread for all tests: starting it takes longer than most of them.
const folder = await mkdtemp(join(tmpdir(), 'trawl-index-'));
const index = await openPageIndex({ file: join(folder, 'index.db') });
const open: OpenIndex = async () => {
  await index.clear();
  return index;
};
after(async () => {
  await index.close();
  await rm(folder, { recursive: true });
});

testPageIndex('sqlite', open);
testIndexOperators('sqlite', open);
testIndexOrder('sqlite', open);
testIndexImages('sqlite', open);
testIndexOwners('sqlite', open);
testIndexFind('sqlite', open);
testIndexMeaning('sqlite', open);
