// Structured data of any page: nothing throws, results are plain JSON and bounded, and what is made of them fits the contract.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { knowledgeGraph } from '../../src/contracts/formats/knowledge-graph.ts';
import { menu } from '../../src/contracts/formats/menu.ts';
import { product } from '../../src/contracts/formats/product.ts';
import { entityGraph } from '../../src/understand/graph/entity-graph.ts';
import { completeMenu } from '../../src/understand/menu/complete-menu.ts';
import { findMenu } from '../../src/understand/menu/menu.ts';
import { completeProduct } from '../../src/understand/product/complete-product.ts';
import { findProduct } from '../../src/understand/product/product.ts';
import { pageSource } from '../support/page-source.ts';
import { runs, seedOr } from '../support/runs.ts';
import { jsonLd } from '../support/structured-data.ts';

const SEED = seedOr(20_261_116);

const word = fc.constantFrom(
  'Product',
  'Offer',
  'Menu',
  'MenuItem',
  'name',
  'price',
  '8,50 €',
  'InStock',
  '#a',
  '__proto__',
  '',
);
const names = fc.constantFrom(
  ...['@type', '@id', '@graph', '@context', '@value', '@list', 'name', 'offers', 'price', 'hasVariant', 'hasMenu'],
  ...[
    'hasMenuSection',
    'hasMenuItem',
    'image',
    'brand',
    'url',
    '__proto__',
    'constructor',
    'itemListElement',
    'variants',
  ],
);
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 6 }, word, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(names, tie('value'), { maxKeys: 6 }),
})).object;
const tag = fc.constantFrom(
  ...[
    '<div itemscope itemtype="Product">',
    '<b itemprop="name price">',
    '<p typeof="Product">',
    '<i property="name">',
    '</div>',
  ],
  ...[
    '<table><tr>',
    '<td colspan=3>',
    '<th>',
    '<dl><dt>',
    '<dd>',
    '<ul><li class="card">',
    '<h2>',
    '<br>',
    '<b>Price:</b>',
  ],
  ...[
    '<span class="price">',
    '$ 1,299.00',
    'Menu',
    'In stock',
    '<button>Add to cart',
    '<script>window.a={"b":',
    '<template>',
  ],
);
const page = fc.oneof(
  fc.array(fc.oneof(tag, word, fc.string({ maxLength: 20 })), { maxLength: 60 }).map((parts) => parts.join('')),
  json.map(jsonLd),
  json.map((value) => `<h1>Product</h1><script type="application/json">${JSON.stringify(value)}</script>`),
  fc.string({ maxLength: 200 }).map(jsonLd),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

test(`any page gives JSON that fits the contract (seed ${SEED})`, () => {
  fc.assert(
    fc.property(page, json, (html, answer) => {
      const source = pageSource(html, 'https://shop.test/p', 'Product 8,50 €');
      assert.deepEqual(JSON.parse(JSON.stringify(source.data)), source.data);
      const found = findProduct(source);
      if (found) assert.deepEqual(product.parse(found), found);
      const dishes = findMenu(source, true);
      if (dishes) assert.deepEqual(menu.parse(dishes), dishes);
      const graph = knowledgeGraph.parse(entityGraph(source));
      const ids = new Set(graph.nodes.map(({ id }) => id));
      assert.equal(ids.size, graph.nodes.length);
      for (const edge of graph.edges) assert.ok(ids.has(edge.source) && ids.has(edge.target));
      const { product: completed } = completeProduct(source, found, { isProductPage: true, ...answer });
      if (completed) product.parse(completed);
      const { menu: filled } = completeMenu(source, dishes, { isMenu: true, ...answer });
      if (filled) menu.parse(filled);
    }),
    { seed: SEED, numRuns: runs(400, 20_000) },
  );
});
