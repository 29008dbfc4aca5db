// Extractions, carried out in process against a small web: which pages are read, what is returned, what it costs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OpenOperations, openOperations } from '../../../support/operations.ts';
import { runExtract } from '../../../support/run-extract.ts';
import type { MemoryRun } from '../../../support/run-tools.ts';
import { type Exchange, reply, send } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

const layout = (title: string, main: string) =>
  reply(
    `<html lang="en"><title>${title} | Lamps by the river</title><main><h1>${title}</h1><p>One of the lamps of our small shop by the river.</p>${main}</main>`,
  );
const lamp = (name: string, price: number) =>
  layout(name, `<dl><dt>Price</dt><dd>${price} EUR</dd><dt>Maker</dt><dd>Lux</dd></dl>`);

let web: Web;
let operations: OpenOperations;

before(async () => {
  web = await startWeb({
    'shop.test': {
      '/': layout('Lamps', '<a href="/lamps/red">Red lamp</a> <a href="/lamps/blue">Blue lamp</a>'),
      '/lamps/red': lamp('Red lamp', 20),
      '/lamps/blue': lamp('Blue lamp', 30),
      '/secret': (exchange: Exchange) =>
        send(exchange, `<main><h1>${exchange.headers['x-token'] ?? 'no token'}</h1><p>Price: 5 EUR</p></main>`),
    },
  });
  operations = await openOperations(web.settings);
});
after(async () => {
  await operations.close();
  await web.stop();
});

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, price: { type: 'number' } },
  required: ['name', 'price'],
};

const extract = (body: object) => runExtract(operations, body);

const pagesOf = (tools: MemoryRun): string[] =>
  tools.steps
    .filter(({ name }) => name === 'scrape')
    .map(({ input }) => new URL((input as { url: string }).url).pathname);

test('a page is read as it is named, and the run pays for it once', async () => {
  const { outcome, result, tools, events } = await extract({
    urls: [web.url('shop.test', '/lamps/red')],
    schema: SCHEMA,
  });
  assert.equal(outcome.status, 'completed');
  assert.deepEqual(result.data, { name: 'Red lamp', price: 20 });
  assert.deepEqual(result.sources?.price, [web.url('shop.test', '/lamps/red')]);
  assert.match(result.warning ?? '', /^`data` was made without a language model/);
  assert.deepEqual(pagesOf(tools), ['/lamps/red']);
  assert.equal(outcome.credits, 5);
  assert.equal(events[0]?.type, 'extract.completed');
});

test('a whole site gives one row for each of its pages', async () => {
  const schema = { type: 'object', properties: { lamps: { type: 'array', items: SCHEMA } } };
  const { result, tools } = await extract({
    urls: [`${web.url('shop.test')}lamps/*`, web.url('shop.test')],
    schema,
    prompt: 'All lamps with their prices',
  });
  assert.equal(tools.steps.filter(({ name }) => name === 'map').length, 1);
  const { lamps } = result.data as { lamps: { name: string }[] };
  assert.deepEqual(lamps.map(({ name }) => name).toSorted(), ['Blue lamp', 'Red lamp']);
});

test('without a schema, a prompt is answered with passages, and a page alone with its data', async () => {
  const answered = await extract({ urls: [web.url('shop.test', '/lamps/blue')], prompt: 'Where is the shop?' });
  assert.match(JSON.stringify(answered.result.data), /by the river/);
  const described = await extract({ urls: [web.url('shop.test', '/lamps/blue')] });
  assert.match(JSON.stringify(described.result.data), /30 EUR/);
});

test('the headers of the request reach the sites that it names', async () => {
  const scrapeOptions = { headers: { 'x-token': 'Token 7' } };
  const { result } = await extract({ urls: [web.url('shop.test', '/secret')], schema: SCHEMA, scrapeOptions });
  assert.deepEqual(result.data, { name: 'Token 7', price: 5 });
});

test('an extraction fails if no page can be read, and costs nothing', async () => {
  const { outcome, events } = await extract({ urls: ['http://nowhere.invalid/'], schema: SCHEMA });
  assert.equal(outcome.status, 'failed');
  assert.match(outcome.error ?? '', /^No page could be read\. http:\/\/nowhere\.invalid\/ could not be read: /);
  assert.equal(outcome.credits, 0);
  assert.equal(events[0]?.type, 'extract.failed');
});
