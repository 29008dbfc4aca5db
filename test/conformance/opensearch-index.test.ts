// The index on OpenSearch passes the conformance suites of the index: changes, order and owners. The others are in
// opensearch-index-queries.test.ts, since every test creates an index, which takes a while.
import { after, test } from 'node:test';
import { NO_OPENSEARCH, openOpenSearch } from './open-opensearch.ts';
import { testPageIndex } from './page-index.ts';
import { testIndexOrder } from './page-index-order.ts';
import { testIndexOwners } from './page-index-owners.ts';
import type { OpenIndex } from './page-index-samples.ts';

if (NO_OPENSEARCH) test('the index on OpenSearch', { skip: NO_OPENSEARCH });
else {
  const { index, remove } = openOpenSearch();
  const open: OpenIndex = async () => {
    await index.clear();
    return index;
  };
  after(remove);
  testPageIndex('opensearch', open);
  testIndexOrder('opensearch', open);
  testIndexOwners('opensearch', open);
}
