// `actions` of a scrape: what each does to the page, what they return, and how failures are reported.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { actionsOn, type Scraped, type Step } from '../support/browser/act.ts';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { WITH_BROWSER } from '../support/browser/service-settings.ts';
import { fullTest, test } from '../support/full-run.ts';
import { readPicture } from '../support/picture.ts';
import { useService } from '../support/use-service.ts';

describe('actions', NEEDS_BROWSER, () => {
  const scene = useService(WITH_BROWSER);
  const { at, act, script } = actionsOn(scene);

  fullTest('text is typed and submitted, and the page that follows is returned', async () => {
    const { data } = await act([
      { type: 'click', selector: '#field' },
      { type: 'write', text: 'blue ' },
      { type: 'write', text: 'boats' },
      { type: 'press', key: 'ENTER' },
      { type: 'wait', selector: '#found' },
    ]);
    assert.match(data.rawHtml, /<p id="found">Found blue boats\.<\/p>/);
    assert.equal(data.metadata.url, at('/results?q=blue+boats'));
    assert.equal(data.metadata.sourceURL, at('/'));
    assert.deepEqual(data.actions, {}, 'no action returned anything');
  });

  test('clicks, waits and scrolls change the page in their order', async () => {
    const { data } = await act([
      { type: 'click', selector: '.add', all: true },
      { type: 'click', selector: '.missing', all: true },
      { type: 'click', selector: '.add' },
      script('document.querySelector("#basket").textContent'),
      { type: 'click', selector: '#later' },
      script('note.hidden'),
      { type: 'wait', selector: '#note' },
      script('note.hidden'),
      { type: 'scroll' },
      script('scrollY > 400'),
      { type: 'scroll', direction: 'up' },
      script('scrollY'),
      { type: 'scroll', selector: '#end' },
      { type: 'wait', milliseconds: 50 },
      script('scrollY > 1500'),
    ]);
    const given = data.actions!.javascriptReturns!;
    const values = given.map(({ value }) => value);
    assert.equal(values[0], 'Basket:ABA');
    assert.equal(values[2], false);
    assert.deepEqual(values.slice(3), [true, 0, true]);
    assert.deepEqual([given[0]!.type, given[2]!.type, given[4]!.type], ['string', 'boolean', 'number']);
    assert.deepEqual(Object.keys(data.actions!), ['javascriptReturns']);
  });

  test('what actions return is listed by kind, in order, with links that need no key', async () => {
    const { data } = await act([
      { type: 'screenshot', viewport: { width: 300, height: 200 } },
      { type: 'scrape' },
      { type: 'pdf', format: 'A6', landscape: true },
      script('location.href = "/results?q=second"; 1'),
      { type: 'wait', selector: '#found' },
      { type: 'screenshot', quality: 30 },
      { type: 'scrape' },
      { type: 'generatePDF' },
      script('return Promise.resolve({ found: document.title })'),
    ]);
    const { screenshots, scrapes, javascriptReturns, pdfs } = data.actions!;
    const opened = await Promise.all([...screenshots!, ...pdfs!].map(async (link) => (await fetch(link)).bytes()));
    assert.deepEqual(opened.slice(0, 2).map(readPicture), [
      { type: 'png', width: 300, height: 200 },
      { type: 'jpeg', width: 1280, height: 800 },
    ]);
    assert.deepEqual(
      opened.slice(2).map((bytes) => Buffer.from(bytes).toString('latin1', 0, 5)),
      ['%PDF-', '%PDF-'],
    );
    assert.deepEqual(
      scrapes!.map(({ url, html }) => [url, /<title>(.*?)<\/title>/.exec(html)?.[1]]),
      [
        [at('/'), 'Shop'],
        [at('/results?q=second'), 'Results'],
      ],
    );
    assert.deepEqual(javascriptReturns!.at(-1), { type: 'object', value: { found: 'Results' } });
  });

  fullTest('a page changed by actions is not cached, but its stored result includes what they returned', async () => {
    const first = await act([script('"first"')]);
    const second = await act([script('"second"')]);
    assert.deepEqual(second.data.actions!.javascriptReturns, [{ type: 'string', value: 'second' }]);
    assert.equal(second.data.metadata.cacheState, undefined);
    const stored = await scene.service.fetch(`/v2/scrape/${first.data.metadata.scrapeId}`);
    assert.deepEqual(((await stored.json()) as Scraped).data, first.data);
    const traceless = await act([{ type: 'screenshot' }, { type: 'pdf' }], { zeroDataRetention: true });
    assert.match(traceless.data.actions!.screenshots![0]!, /^data:image\/png;base64,/);
    assert.match(traceless.data.actions!.pdfs![0]!, /^data:application\/pdf;base64,JVBERi/);
  });

  const failures: [name: string, actions: Step[], index: number, message: RegExp][] = [
    ['an invalid selector, before any action runs', [script('1'), { type: 'click', selector: '<' }], 1, /CSS/],
    ['a script that throws', [script('1'), script('1'), script('throw new Error("broken")')], 2, /broken/],
    ['text without a field', [{ type: 'write', text: 'lost' }], 0, /focus/],
    ['an unknown key', [script('1'), { type: 'press', key: 'NoSuchKey' }], 1, /NoSuchKey/],
  ];
  test('an action that fails is an error that names it, counted from 0', async () => {
    const answers = await Promise.all(failures.map(([, actions]) => act(actions)));
    for (const [at, [name, , index, message]] of failures.entries()) {
      const { status, code, error, details } = answers[at]!;
      assert.deepEqual([status, code], [400, 'SCRAPE_ACTION_ERROR'], name);
      assert.match(error!, new RegExp(`^Action ${index} `), name);
      assert.match(error!, message, name);
      assert.deepEqual(details![0]!.path, ['actions', index], name);
    }
  });

  test('more than fifty actions or a minute of waiting are refused', async () => {
    const before = scene.web.requests('counter.test');
    const wait = (milliseconds: number): Step => ({ type: 'wait', milliseconds });
    const refused: [Step[], RegExp, object?][] = [
      [Array.from({ length: 51 }, () => wait(1)), /50/],
      [[wait(40_000), wait(20_001)], /60 seconds/],
      [[wait(59_000), { type: 'wait', selector: 'p' }, wait(1)], /60 seconds/],
      [[wait(50_000)], /60 seconds/, { waitFor: 10_001 }],
      [[{ type: 'wait', milliseconds: 1, selector: 'p' }], /either/],
      [[{ type: 'wait' }], /either/],
    ];
    for (const [actions, message, options] of refused) {
      const { status, code, details, error } = await act(actions, { ...options });
      assert.deepEqual([status, code], [400, 'BAD_REQUEST']);
      assert.match(`${error} ${JSON.stringify(details)}`, message);
    }
    assert.equal(scene.web.requests('counter.test'), before, 'nothing was fetched');
    const { data } = await act([...Array.from({ length: 49 }, () => wait(1)), script('"the fiftieth"')]);
    assert.deepEqual(data.actions!.javascriptReturns, [{ type: 'string', value: 'the fiftieth' }]);
  });
});
