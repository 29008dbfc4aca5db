// The index on OpenSearch passes the conformance suites of the index: operators, images, searches of people, and meaning.
import { after, test } from 'node:test';
import { NO_OPENSEARCH, openOpenSearch } from './open-opensearch.ts';
import { testIndexFind } from './page-index-find.ts';
import { testIndexImages } from './page-index-images.ts';
import { testIndexMeaning } from './page-index-meaning.ts';
import { testIndexOperators } from './page-index-operators.ts';
import type { OpenIndex } from './page-index-samples.ts';

if (NO_OPENSEARCH) test('searches of the index on OpenSearch', { skip: NO_OPENSEARCH });
else {
  const { index, remove } = openOpenSearch();
  const open: OpenIndex = async () => {
    await index.clear();
    return index;
  };
  after(remove);
  testIndexOperators('opensearch', open);
  testIndexImages('opensearch', open);
  testIndexFind('opensearch', open);
  testIndexMeaning('opensearch', open);
}
