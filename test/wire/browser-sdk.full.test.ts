// The public SDK as its users call it: scrapes with actions and screenshots.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Firecrawl } from 'firecrawl';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { WITH_BROWSER } from '../support/browser/service-settings.ts';
import { readPicture } from '../support/picture.ts';
import { useService } from '../support/use-service.ts';

describe('firecrawl 4.42.0 with a browser available', NEEDS_BROWSER, () => {
  const scene = useService(WITH_BROWSER);
  const client = () => new Firecrawl({ apiKey: scene.service.key, apiUrl: scene.service.url });
  const counter = () => scene.web.url('counter.test', '/');
  const pictureAt = async (link: string) => readPicture(await (await fetch(link)).bytes());

  test('scrapes with actions and gets what they return', async () => {
    const { markdown, actions } = await client().scrape(counter(), {
      formats: ['markdown'],
      actions: [
        { type: 'wait', milliseconds: 10 },
        { type: 'click', selector: '#field' },
        { type: 'write', text: 'nets' },
        { type: 'press', key: 'Enter' },
        { type: 'wait', selector: '#found' },
        { type: 'scroll', direction: 'down' },
        { type: 'screenshot', fullPage: true, quality: 50 },
        { type: 'scrape' },
        { type: 'executeJavascript', script: 'document.title' },
        { type: 'pdf', format: 'A4' },
      ],
    });
    assert.match(markdown!, /Found nets/);
    const { screenshots, scrapes, javascriptReturns, pdfs } = actions as unknown as {
      screenshots: string[];
      scrapes: { url: string; html: string }[];
      javascriptReturns: { type: string; value: unknown }[];
      pdfs: string[];
    };
    assert.equal((await pictureAt(screenshots[0]!)).type, 'jpeg');
    assert.match(scrapes[0]!.html, /Found nets/);
    assert.deepEqual(javascriptReturns, [{ type: 'string', value: 'Results' }]);
    assert.equal((await fetch(pdfs[0]!)).headers.get('content-type'), 'application/pdf');
  });

  test('scrapes a screenshot, alone and with other formats', async () => {
    const viewport = { width: 640, height: 480 };
    const { screenshot, markdown } = await client().scrape(scene.web.url('room.test', '/number/1'), {
      formats: ['markdown', { type: 'screenshot', viewport }],
    });
    assert.deepEqual(await pictureAt(screenshot!), { type: 'png', ...viewport });
    assert.match(markdown!, /Seen \/number\/1/);
  });

  test('batches pages with a screenshot each', async () => {
    const urls = ['/number/2', '/bands'].map((path) => scene.web.url('room.test', path));
    const { status, data } = await client().batchScrape(urls, {
      options: { formats: ['screenshot'] },
      pollInterval: 1,
    });
    assert.deepEqual([status, data.length], ['completed', 2]);
    for (const { screenshot } of data) assert.equal((await pictureAt(screenshot!)).width, 1280);
  });

  test('throws the error of a failed action', async () => {
    const actions = [{ type: 'click' as const, selector: '#none' }];
    await assert.rejects(client().scrape(counter(), { actions }), /Action 0 \(click\): no element matches "#none"/);
  });
});
