// Steps about single pages and files: scrape, parse, and what needs a browser.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer } from '../client.ts';
import { inWords, type Stage, type Step } from './stage.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

export const scrape: Step = {
  name: 'scrape',
  title: 'Scrape a page',
  async run({ web, screen, call, ask, expect }) {
    screen.text('A product of the shop: the main content as Markdown, without the navigation around it.');
    const page = { path: '/v2/scrape', body: { url: `${web.url}/shop/anchor-lamp` } };
    const { body } = await call(page);
    const text: string = body.data?.markdown ?? '';
    expect(text.includes('£84.00') && text.includes('| Burns for | 14 hours |'), 'The price and the table are there.');
    expect(!text.includes('Harbour log'), 'The navigation is not.');

    const again = await ask(page);
    const { cacheState } = again.body.data?.metadata ?? {};
    expect(cacheState === 'hit', `The same request again takes ${inWords(again.ms)}: the page comes from the cache.`);

    screen.text('A feed becomes a list.');
    const feed = await call({ path: '/v2/scrape', body: { url: `${web.url}/journal/feed.xml` } });
    const posts = `${feed.body.data?.markdown}`.match(/^- \[/gm)?.length;
    expect(posts === 4, `It has ${posts} posts, as the journal does.`);
  },
};

export const parse: Step = {
  name: 'parse',
  title: 'Read a PDF',
  async run({ web, screen, folder, signal, call, ask, expect }) {
    screen.text('Files are read wherever a link leads to one, and when you upload one. First fetch one to upload:');
    const url = `${web.url}/price-list.pdf`;
    const file = join(folder, 'price-list.pdf');
    screen.command(`curl -s ${url} -o ${file}`);
    const response = await fetch(url, { signal });
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    const uploaded = await call({ path: '/v2/parse', file });
    const text: string = uploaded.body.data?.markdown ?? '';
    expect(text.includes('| Tide clock | Instruments | 11 | £129.00 |'), 'The table of the PDF is a table again.');
    const linked = await ask({ path: '/v2/scrape', body: { url } });
    expect(text !== '' && linked.body.data?.markdown === text, 'Scraping the link gives the same text.');
  },
};

export const browser: Step = {
  name: 'browser',
  title: 'A page that needs JavaScript, and a screenshot',
  async run(stage) {
    const { web, screen, call, expect } = stage;
    screen.text(
      'The tide board is empty until its script has run. Trawl notices that and renders it in Chromium; the request is the same as for any page. The screenshot is a link that works without a key for 24 hours.',
    );
    const formats = ['markdown', { type: 'screenshot', fullPage: true }];
    const answer = await call({ path: '/v2/scrape', body: { url: `${web.url}/tides/`, formats } });
    if (lacksBrowser(answer)) {
      stage.skip('This machine has no Chromium, so this step is left out. Install chromium-headless-shell to see it.');
      return;
    }
    const { markdown, screenshot } = answer.body.data ?? {};
    expect(`${markdown}`.includes('| high | 01:45 | 5.0 m |'), 'The table that the script has built is there.');
    await lookAt(stage, screenshot);
  },
};

async function lookAt({ screen, folder, signal, expect }: Stage, link: string): Promise<void> {
  const file = join(folder, 'tides.png');
  screen.command(`curl -s -o ${file} \\\n  '${link}'`);
  const response = await fetch(link, { signal });
  const bytes = Buffer.from(await response.arrayBuffer());
  await writeFile(file, bytes);
  const isPng = bytes.subarray(0, PNG.length).equals(PNG);
  const size = isPng ? `${bytes.readUInt32BE(16)} × ${bytes.readUInt32BE(20)} pixels` : 'no picture';
  screen.answer(
    `${response.status}, ${response.headers.get('content-type')}, ${size}, ${Math.round(bytes.length / 1024)} KB`,
  );
  expect(isPng && bytes.readUInt32BE(16) > 1000, 'It is a picture of the whole page.');
}

function lacksBrowser({ body }: Answer): boolean {
  const reason = `${body.error ?? body.data?.warning ?? body.warning ?? ''}`;
  return typeof body.data?.screenshot !== 'string' && /browser/i.test(reason);
}
