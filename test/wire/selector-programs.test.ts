// Programs of the format deterministicJson over HTTP: how often the model is asked in a crawl, when a template changes, and
// what is left after a deletion.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCrawl } from '../support/jobs.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { createDice, paragraph } from '../support/web/words.ts';
import { startWeb, type Web } from '../support/web.ts';

interface Scraped {
  data: { json?: { title?: string; price?: number }; warning?: string; metadata: Record<string, unknown> };
}

const SCHEMA = {
  type: 'object',
  properties: { title: { type: 'string' }, price: { type: 'number' } },
  required: ['title', 'price'],
};
const FORMAT = { type: 'deterministicJson', schema: SCHEMA };
const SIBLINGS = 24;
/** Which name the shop gives to its prices. */
let priceName = 'price';

/** No two hosts have the same page: the model's answers to the same question are remembered. */
function product(host: string, number: number): string {
  const links = Array.from({ length: 4 }, (_, at) => (number * 4 + at + 1) % SIBLINGS)
    .map((other) => `<li><a href="/product/${other}">Lamp number ${other}</a></li>`)
    .join('');
  const text = paragraph(createDice(number));
  const offer = `<div><div><div><b class="${priceName}">$${number + 1}.50</b></div></div></div>`;
  return page(
    `Lamp number ${number}`,
    `<main class="product"><h1>Lamp number ${number}</h1>${offer}<p>${host}</p><p>${text}</p></main><aside class="more"><ul>${links}</ul></aside>`,
  );
}

const shopOf = (host: string): Site => ({
  '/product/*': (exchange) => send(exchange, product(host, Number(exchange.tail))),
});
const hosts = ['crawled', 'together', 'changed', 'deleted', 'private'];
let web: Web;
let model: ModelServer;
let service: RunningService;

before(async () => {
  web = await startWeb(Object.fromEntries(hosts.map((name) => [`${name}.test`, shopOf(name)])));
  model = await startModelServer(({ material }) => {
    // The name that the page has, as the model sees it.
    const [, name = ''] = /<b class="(\w+)"/.exec(material.page ?? '') ?? [];
    const rules = [
      { path: 'title', selector: 'main.product h1', take: 'text', sample: '' },
      { path: 'price', selector: `b.${name}`, take: 'text', sample: '' },
    ];
    return { text: { rules, lists: [] } };
  });
  service = await startServiceHereWith(web, model.settings());
});
after(async () => {
  await service?.stop();
  await Promise.all([web?.stop(), model?.close()]);
});

async function scrape(host: string, number: number, options: object = {}) {
  const url = web.url(`${host}.test`, `/product/${number}`);
  const { status, body } = await service.scrape<Scraped>({ url, formats: [FORMAT], maxAge: 0, ...options });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

const expected = (number: number) => ({ title: `Lamp number ${number}`, price: number + 1.5 });

/** How often the model is asked about a page meanwhile: the service also asks whether it is there. */
async function callsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = model.calls.length;
  await work();
  return model.calls.slice(before).filter(({ material }) => material.page !== undefined).length;
}

test('a crawl of sibling pages asks the model once, and every page has its own values with citations', async () => {
  const calls = await callsDuring(async () => {
    const { documents } = await runCrawl(service, {
      url: web.url('crawled.test', '/product/0'),
      limit: SIBLINGS,
      maxDiscoveryDepth: 20,
      crawlEntireDomain: true,
      scrapeOptions: { formats: ['markdown', FORMAT] },
    });
    assert.equal(documents.length, SIBLINGS);
    for (const { metadata, ...document } of documents as unknown as (Scraped['data'] & { markdown: string })[]) {
      const number = Number(new URL(String(metadata.sourceURL)).pathname.split('/').at(-1));
      assert.deepEqual(document.json, expected(number), JSON.stringify(document));
      const { 'json.title': cited } = metadata.citations as Record<
        string,
        { text: string; start: number; end: number }
      >;
      assert.equal(document.markdown.slice(cited!.start, cited!.end), expected(number).title);
    }
  });
  assert.equal(calls, 1);
});

test('scrapes that arrive together ask the model once', async () => {
  const numbers = [1, 2, 3, 4, 5, 6];
  const calls = await callsDuring(async () => {
    const made = await Promise.all(numbers.map((number) => scrape('together', number)));
    assert.deepEqual(
      made.map(({ json }) => json),
      numbers.map(expected),
    );
  });
  assert.equal(calls, 1);
});

test('a template that changes is learnt anew once, by the third page that shows it', async (t) => {
  for (let number = 0; number < 6; number++) await scrape('changed', number);
  priceName = 'cost';
  t.after(() => {
    priceName = 'price';
  });
  const calls = await callsDuring(async () => {
    for (const number of [6, 7]) {
      const { json, warning } = await scrape('changed', number);
      assert.deepEqual(json, { title: expected(number).title });
      assert.match(String(warning), /`price` is missing/);
    }
    for (let number = 8; number < 14; number++)
      assert.deepEqual((await scrape('changed', number)).json, expected(number));
  });
  assert.equal(calls, 1);
});

test('deleting the pages of a host deletes its programs', async () => {
  assert.equal(await callsDuring(() => scrape('deleted', 1)), 1);
  assert.equal(await callsDuring(() => scrape('deleted', 2)), 0);
  const host = new URL(web.url('deleted.test')).host;
  const deleted = await service.fetch(`/v2/index/pages?host=${encodeURIComponent(host)}`, { method: 'DELETE' });
  assert.equal(deleted.status, 200, await deleted.text());
  assert.equal(await callsDuring(() => scrape('deleted', 3)), 1);
});

test('under zero data retention a program is neither used nor left behind', async () => {
  const isPrivate = { zeroDataRetention: true };
  assert.equal(await callsDuring(() => scrape('private', 1, isPrivate)), 1);
  assert.equal(await callsDuring(() => scrape('private', 2)), 1);
  assert.equal(await callsDuring(() => scrape('private', 3, isPrivate)), 1);
  assert.equal(await callsDuring(() => scrape('private', 4)), 0);
});
