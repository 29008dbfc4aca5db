// Pages that are made to cost much: the result stays small, and nothing throws. Work is bounded by size, not by time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entityGraph } from '../../../../src/understand/graph/entity-graph.ts';
import { findMenu } from '../../../../src/understand/menu/menu.ts';
import { findProduct } from '../../../../src/understand/product/product.ts';
import { pageSource } from '../../../support/page-source.ts';
import { jsonLd } from '../../../support/structured-data.ts';

const MAX_CHARACTERS = 10_000_000;
const list = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join('');
const graph = (count: number, write: (at: number) => string) => jsonLd(`{"@graph":[${list(count, write)}{}]}`);

const PAGES: Record<string, string> = {
  'objects nested 50,000 deep': jsonLd(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  'lists nested 50,000 deep without an end': jsonLd('['.repeat(50_000)),
  'references that double with every step': graph(
    60,
    (at) => `{"@id":"#${at}","@type":"X","x":[{"@id":"#${at + 1}"},{"@id":"#${at + 1}"}]},`,
  ),
  'a ring of references': graph(
    5_000,
    (at) => `{"@id":"#${at}","@type":"X","name":"n","x":{"@id":"#${(at + 1) % 5_000}"}},`,
  ),
  'a context for every object': graph(5_000, (at) => `{"@context":{"a${at}":"b"},"@type":"X","a${at}":1},`),
  'broken scripts, one after the other': list(4, () => jsonLd(`{"a":"${'x" '.repeat(20_000)}`)),
  'items in items under several names': '<div itemscope itemprop="a b c">'.repeat(2_000),
  'RDFa items in items under several names': '<div typeof="X" property="y z">'.repeat(2_000),
  'many items that refer to the same long part': `${'<div itemscope itemref="z"></div>'.repeat(2_000)}<div id="z">${'<i itemprop="x">y</i>'.repeat(2_000)}</div>`,
  'items that refer to each other': list(
    2_000,
    (at) => `<p itemscope itemprop="p" id="i${at}" itemref="i${at + 1} i${(at + 2) % 2_000}"></p>`,
  ),
  '150,000 properties': `<div itemscope>${'<i itemprop="a b c d e">x</i>'.repeat(30_000)}`,
  'assignments without an end': `<script>${'window.a={'.repeat(50_000)}</script>`,
  'cells that span everything': `<table>${list(20, () => `<tr>${'<td rowspan="1000" colspan="1000">x'.repeat(50)}${'<tr>'.repeat(500)}`)}</table>`,
  'blocks in blocks that repeat': '<div class="a"><p>x</p><p>y</p>'.repeat(5_000),
  'a menu of 10,000 dishes': `<script type="application/json">{"menu":[${`{"name":"s","items":[${'{"name":"b","price":1},'.repeat(50)}{}]},`.repeat(200)}{}]}</script>`,
  'a product with many offers': jsonLd(
    `{"@type":"Product","name":"P","offers":[${list(5_000, (at) => `{"@type":"Offer","sku":"${at}","price":1},`)}{}]}`,
  ),
};

for (const [what, html] of Object.entries(PAGES)) {
  test(`${what}: bounded`, () => {
    const source = pageSource(html);
    assert.ok(JSON.stringify(source.data).length < MAX_CHARACTERS);
    const found = [findProduct(source), findMenu(source, true), entityGraph(source)];
    assert.ok(JSON.stringify(found).length < MAX_CHARACTERS);
  });
}
