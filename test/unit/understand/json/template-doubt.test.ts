// Texts that stand on most other pages of a site are doubted where a field asks what tells its pages apart, and never refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillSchema } from '../../../../src/understand/json/json-work.ts';
import { findOfferedProduct } from '../../../../src/understand/product/product.ts';
import { pageSource } from '../../../support/page-source.ts';
import { jsonLd } from '../../../support/structured-data.ts';

const PAGE = `<!doctype html><title>Careers</title><main><h1>Careers</h1>
<p>The office by the river looks for a clerk with a steady hand.</p>
<dl><dt>Title</dt><dd>Open position</dd><dt>Team</dt><dd>River office</dd></dl></main>`;
const SCHEMA = { type: 'object', properties: { title: { type: 'string' }, team: { type: 'string' } } };

const read = (repeated: string[], confidence: number) => {
  const found = fillSchema(SCHEMA, { ...pageSource(PAGE), html: PAGE, repeated }, { confidence });
  return found.value as { title?: string; team?: string };
};

test('a name that stands on most pages of the site is less certain, and can still be had', () => {
  assert.equal(read([], 0.5).title, 'Open position');
  assert.equal(read(['Open position'], 0.5).title, undefined);
  assert.ok(read(['Open position'], 0).title !== undefined);
});

test('what pages may well have in common is not doubted', () => {
  assert.equal(read(['River office'], 0.5).team, 'River office');
});

test('a shown product that is called like the pages of its shop is no certain product', () => {
  const html = `<title>Lamps</title><main><h1>Lamps by the river</h1><p>€59.00</p><button>Add to cart</button></main>`;
  const find = (repeated: string[], threshold = 0.5) =>
    findOfferedProduct({ ...pageSource(html), repeated }, threshold);
  assert.equal(find([])?.product.title, 'Lamps by the river');
  assert.equal(find(['Lamps by the river']), undefined);
  assert.ok(find(['Lamps by the river'], 0.4)!.origins.title!.confidence! < 0.5);
  const stated = jsonLd({
    '@type': 'Product',
    name: 'Lamps by the river',
    offers: { price: 59, priceCurrency: 'EUR' },
  });
  const known = findOfferedProduct({ ...pageSource(html + stated), repeated: ['Lamps by the river'] });
  assert.ok(known!.origins.title!.confidence! < 0.6);
});
