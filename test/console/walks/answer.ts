// The answers of the playground: every view of real pages, why they are as they are, and pages that mean harm. Nothing of a
// page runs in the console, and no request goes anywhere but to the service.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { until } from '../../support/jobs.ts';
import { page as htmlPage, reply, type Site, send } from '../../support/web/reply.ts';
import { type Tier, testsOf } from '../support/tier.ts';
import { useConsole } from '../support/use-console.ts';
import { WIDTHS } from '../support/views.ts';

const EVIL = 'evil.test';
const OVERRIDE = '\u202e';

const TEXT = 'Water boils, leaves wait, and the cup is warm. '.repeat(12);

const evilPage = (origin: (host: string) => string) => `<!doctype html><html lang="en"><head>
<title>Prices ${OVERRIDE}gpj.exe</title><base href="${origin(EVIL)}/">
<link rel="stylesheet" href="${origin(EVIL)}/steal.css"><style>body{background:url(${origin(EVIL)}/bg.png)}</style>
</head><body onload="window.top.hacked=1"><main><h1>Prices</h1><p>${TEXT}</p>
<script>window.hacked=1;parent.hacked=1;top.hacked=1</script>
<img src="${origin(EVIL)}/track.png" onerror="top.hacked=1" alt="A cup &quot;onerror=&quot;hacked=1">
<p><a href="javascript:top.hacked=1">Click me</a> <a href="${origin(EVIL)}/next">Next</a></p>
<iframe src="${origin(EVIL)}/frame"></iframe><svg onload="top.hacked=1"><script>top.hacked=1</script></svg>
<form action="${origin(EVIL)}/post"><input name="q" autofocus onfocus="top.hacked=1"><button>Send</button></form>
<p style="position:fixed;inset:0;background:url(${origin(EVIL)}/css.png)">Over everything. ${TEXT}</p>
<p>&lt;img src=x onerror=top.hacked=1&gt; &lt;script&gt;top.hacked=1&lt;/script&gt;</p><p>${TEXT}</p>
<video src="${origin(EVIL)}/v.mp4" autoplay></video><object data="${origin(EVIL)}/o"></object></main></body></html>`;

const MARKDOWN = `# Tea <script>top.hacked=1</script>

<img src=x onerror="top.hacked=1"> [bad](javascript:top.hacked=1) [good](https://good.example/)

![A cup](https://evil.example/track.png)
`;

const hostile: Site = {
  '/': (exchange) => send(exchange, evilPage(exchange.origin)),
  '/tea.md': reply(MARKDOWN, { type: 'text/markdown' }),
  '/line': reply(() => htmlPage('One line', `<main><p>${'x'.repeat(1_000_000)}</p></main>`)),
  '/big': reply(() => htmlPage('Megabytes', `<main>${`<p>${TEXT}</p>`.repeat(2_500)}</main>`)),
  '/links': reply(() =>
    htmlPage(
      'Many links',
      `<main><p>${TEXT}</p><ul>${Array.from({ length: 3_000 }, (_, at) => `<li><a href="/p/${at}">Page ${at}</a></li>`).join('')}</ul></main>`,
    ),
  ),
};

const article: Site = {
  '/': (exchange) => send(exchange, '', { status: 302, headers: { location: '/article' } }),
  '/article': reply(
    htmlPage(
      'How to make tea',
      `<main><h2>Steps</h2><p>${TEXT}</p><ul><li>Water</li><li>Leaves</li></ul><p>See <a href="/more">more</a>.</p>
       <img src="/cup.png" alt="A cup"><table><tr><th>Tea</th><th>Minutes</th></tr><tr><td>Green</td><td>2</td></tr></table></main>`,
    ),
  ),
};

const PRODUCTS = [
  ['Kettle', 29],
  ['Pot', 19],
  ['Cup', 5],
] as const;

const shop: Site = {
  '/': reply(
    htmlPage(
      'Tea shop',
      `<main><h2>Our goods</h2><p>${TEXT}</p><table><tr><th>Name</th><th>Price</th></tr>${PRODUCTS.map(([name, price]) => `<tr><td>${name}</td><td>$${price}.00</td></tr>`).join('')}</table>
       <ul>${PRODUCTS.map(([name]) => `<li><a href="/${name.toLowerCase()}">${name}</a></li>`).join('')}</ul></main>`,
    ),
  ),
  ...Object.fromEntries(
    PRODUCTS.map(([name]) => [
      `/${name.toLowerCase()}`,
      reply(htmlPage(`A tea ${name.toLowerCase()}`, `<main><p>This tea ${name} is for tea. ${TEXT}</p></main>`)),
    ]),
  ),
};

/** Says something else at each visit. */
const ticker: Site = {
  '/': (exchange) =>
    send(exchange, htmlPage('Ticker', `<main><p>${TEXT}</p><p>Visit ${exchange.visit} of the day.</p></main>`)),
};

const playground = (operation: string, name: string, value: string): string =>
  `/console/playground/${operation}?${name}=${encodeURIComponent(value)}`;

const isHacked = (page: Page) => page.evaluate(() => 'hacked' in window);

export function walkAnswers(tier: Tier): void {
  const { onceTest, fullTest } = testsOf(tier);
  describe('answers of the playground', NEEDS_BROWSER, () => {
    const scene = useConsole({
      tier,
      hosts: {
        'tea.test': article,
        'shop.test': shop,
        'ticker.test': ticker,
        'hostile.test': hostile,
        [EVIL]: { '/*': reply('hacked') },
      },
    });

    /** Scrapes as a person does; `options` are added to what the form sends. */
    async function scrape(url: string, options: object = {}): Promise<Page> {
      const page = await scene.open(playground('scrape', 'url', url));
      await page.route('**/v2/scrape', async (route) => {
        const body = { ...route.request().postDataJSON(), explain: true, ...options };
        await route.continue({ postData: JSON.stringify(body) });
      });
      await page.getByRole('button', { name: 'Scrape', exact: true }).first().click();
      await answer(page).getByRole('tab').first().waitFor();
      return page;
    }
    const answer = (page: Page) => page.getByRole('region', { name: 'Answer', exact: true });
    const openTab = (page: Page, name: string) => answer(page).getByRole('tab', { name }).click();

    onceTest('an ordinary page in all its views', async () => {
      const formats = ['markdown', 'html', 'rawHtml', 'links', 'images', 'screenshot'];
      const page = await scrape(scene.web.url('tea.test'), { formats });
      const pane = answer(page);
      await pane.getByText('How to make tea').first().waitFor();
      assert.match(await pane.locator('.answer-facts').innerText(), /Time\s+\S[\s\S]*1 credit[\s\S]*miss[\s\S]*200/);
      const rendered = pane.getByRole('region', { name: 'Markdown' });
      await rendered.getByText('Minutes').waitFor();
      assert.equal(await rendered.locator('img').count(), 0);
      assert.equal(await rendered.getByRole('link', { name: 'more' }).getAttribute('rel'), 'noopener noreferrer');

      await openTab(page, 'Source');
      await pane.getByText('## Steps').waitFor();
      await openTab(page, 'Preview');
      const frame = pane.frameLocator('iframe');
      await frame.getByText('Leaves', { exact: true }).waitFor();
      assert.equal(await pane.locator('iframe').getAttribute('sandbox'), '');
      // Our stylesheet arrives in the frame, too.
      const padding = () => frame.locator('body').evaluate((body) => getComputedStyle(body).paddingTop);
      await until(padding, (seen) => seen === '16px');

      await openTab(page, 'Screenshot');
      const picture = pane.getByAltText('Screenshot of the page');
      await picture.evaluate((image: HTMLImageElement) => image.decode());
      await openTab(page, 'Images');
      await pane.getByRole('link', { name: scene.web.url('tea.test', '/cup.png'), exact: true }).waitFor();
      await openTab(page, 'JSON');
      await pane.getByRole('button', { name: /metadata/ }).click();
      await pane.getByText('"How to make tea"').first().waitFor();
    });

    fullTest(
      'a question is answered with its citations, and the address for other programs stands beside it',
      async () => {
        await scrape(scene.web.url('shop.test'), { formats: ['markdown'] });
        await scrape(scene.web.url('tea.test'), { formats: ['markdown'] });
        const page = await scene.open(playground('answer', 'query', 'How many minutes does green tea take?'));
        await page.getByRole('button', { name: 'Ask', exact: true }).click();
        await answer(page).getByText('[1]').first().waitFor({ timeout: 90_000 });
        await scene.check(page, 'answer-question');
        const programs = page.getByRole('region', { name: 'Use from other programs' });
        await page.goto(new URL('/console/playground/search', page.url()).href);
        await programs.getByRole('combobox').selectOption('tavily-python');
        await programs.getByText(`${new URL(page.url()).origin}/tavily`).waitFor();
        await scene.check(page, 'answer-programs');
      },
    );

    fullTest('why this answer: from the cache to the cost, with redirects and what the browser did', async () => {
      const page = await scrape(scene.web.url('tea.test'), { formats: ['markdown', 'screenshot'], maxAge: 0 });
      await openTab(page, 'Why this answer');
      const why = answer(page).getByRole('list', { name: 'Why this answer' });
      await why.getByText('Only a browser can do what the options ask for.').waitFor();
      const attempt = why.getByRole('listitem').filter({ hasText: 'Attempt 1' });
      await attempt.getByText('Details').click();
      await attempt.getByText('Status 302').waitFor();
      await attempt.getByText('It took a screenshot').waitFor();
      await why.getByText('This request costs 1 credit.').waitFor();
      await scene.check(page, 'answer-why');
    });

    fullTest('a crawl shows its pages as they come, each with views of its own; a search then finds them', async () => {
      const page = await scene.open(playground('crawl', 'url', scene.web.url('shop.test')));
      await page.getByRole('button', { name: 'Start the crawl' }).click();
      const pane = answer(page);
      await pane.getByRole('list', { name: 'Pages of the crawl' }).getByRole('button').nth(1).click();
      await pane.getByRole('status').getByText('Done').waitFor();
      await pane
        .getByRole('tablist', { name: 'Views of the chosen page' })
        .getByRole('tab', { name: 'Source' })
        .click();
      await pane.getByRole('region', { name: 'Source' }).waitFor();
      await scene.check(page, 'answer-crawl');

      await page.goto(new URL(playground('search', 'query', 'tea kettle'), scene.service.url).href);
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await pane.getByRole('list', { name: 'Web' }).getByRole('listitem').first().waitFor();
      await scene.check(page, 'answer-search');
      await openTab(page, 'Why this answer');
      await pane.getByRole('table', { name: 'Who was asked' }).waitFor();
    });

    test('the chosen view stays for the next call, and changes of a page are shown as a diff', async () => {
      const formats = ['markdown', { type: 'changeTracking', modes: ['git-diff'] }];
      const page = await scrape(scene.web.url('ticker.test'), { formats, maxAge: 0 });
      await openTab(page, 'Changes');
      await answer(page).getByText('First look at this page').waitFor();
      await page.getByRole('button', { name: 'Scrape', exact: true }).first().click();
      await answer(page).locator('.diff-added').first().waitFor();
      await scene.check(page, 'answer-changes');
    });

    fullTest('a file is parsed, and the answer says by which parser', async () => {
      const page = await scene.open('/console/playground/parse');
      const file = {
        name: 'tea.html',
        mimeType: 'text/html',
        buffer: Buffer.from(htmlPage('A file', `<p>${TEXT}</p>`)),
      };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('button', { name: 'Parse the file' }).click();
      await answer(page).getByRole('region', { name: 'Markdown' }).getByText('Water boils').waitFor();
      await openTab(page, 'Why this answer');
      await answer(page).getByText('Uploaded files are never cached.').waitFor();
    });

    onceTest('data of several pages is a table', async () => {
      const page = await scene.open(playground('scrape', 'url', scene.web.url('shop.test')));
      const schema = {
        type: 'object',
        properties: {
          items: {
            type: 'array',
            items: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } },
          },
        },
      };
      await page.route('**/v2/scrape', (route) =>
        route.continue({
          postData: JSON.stringify({ ...route.request().postDataJSON(), formats: [{ type: 'json', schema }] }),
        }),
      );
      await page.getByRole('button', { name: 'Scrape', exact: true }).first().click();
      await answer(page).getByRole('table', { name: 'items' }).getByText('Kettle').waitFor();
    });

    onceTest('on a phone, a call brings its answer into view', async () => {
      const page = await scene.open(playground('scrape', 'url', scene.web.url('tea.test')), { width: WIDTHS.phone });
      await page.getByRole('button', { name: 'Scrape', exact: true }).first().click();
      await answer(page).getByRole('tab').first().waitFor();
      await page.waitForFunction(
        () => document.querySelector('.answer')!.getBoundingClientRect().top < innerHeight / 2,
      );
    });

    fullTest('two views side by side, and both can be copied and saved', async () => {
      const page = await scrape(scene.web.url('tea.test'));
      await answer(page).getByLabel('Show beside it').selectOption({ label: 'Source' });
      await answer(page).getByText('## Steps').waitFor();
      await answer(page).getByRole('region', { name: 'Markdown' }).waitFor();
      await scene.check(page, 'answer-beside');
      await answer(page).getByRole('button', { name: 'Copy' }).last().click();
      await answer(page).getByRole('button', { name: 'Copied' }).waitFor();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /## Steps/);
      const saving = page.waitForEvent('download');
      await answer(page).getByRole('button', { name: 'Download' }).last().click();
      const file = await saving;
      assert.equal(file.suggestedFilename(), 'source.md');
      assert.match(await readFile(await file.path(), 'utf8'), /## Steps/);
    });

    test('a page that could not be read says what happened, what to do, and what was tried', async () => {
      const page = await scrape(scene.web.url('nowhere.invalid'));
      const pane = answer(page);
      await pane.getByRole('alert').getByText('The host name could not be resolved.').waitFor();
      await pane.getByText('SCRAPE_DNS_RESOLUTION_ERROR').first().waitFor();
      await openTab(page, 'Why this answer');
      await pane.getByText('Attempt 1').waitFor();
      await scene.check(page, 'answer-failed');
    });

    test('a hostile page runs nothing and loads nothing, in any view', async () => {
      const seen = () =>
        ['/track.png', '/bg.png', '/css.png', '/steal.css', '/frame', '/v.mp4', '/o'].map((path) =>
          scene.web.requests(EVIL, path),
        );
      const formats = ['markdown', 'html', 'rawHtml', 'links', 'images'];
      // Read without a browser, so that every request to these files would come from the console.
      const page = await scrape(scene.web.url('hostile.test'), { formats, fastMode: true, onlyMainContent: false });
      const tabs = await answer(page).getByRole('tab').count();
      for (let at = 0; at < tabs; at += 1) {
        await answer(page).getByRole('tab').nth(at).click();
        await answer(page).getByRole('tabpanel').waitFor();
        assert.equal(await answer(page).locator('a[href^="javascript" i]').count(), 0);
      }
      await openTab(page, 'Preview');
      const frame = answer(page).frameLocator('iframe');
      await frame.getByText('Over everything.').waitFor();
      const inside = await answer(page).locator('iframe').getAttribute('srcdoc');
      for (const [tag] of inside!.matchAll(/<[^>]*>/g)) {
        assert.doesNotMatch(tag, /^<(?:script|img|iframe|svg|style|form|input|video|object|base)\b|\son\w+=|style=/i);
        assert.doesNotMatch(tag, /href="(?!http:\/\/127\.0\.0\.1:\d+\/console\/assets\/)/);
      }
      await frame.getByText('Click me').click();
      await frame.getByText('Next').click();
      await openTab(page, 'Markdown');
      await answer(page).getByText('Prices \\u202egpj.exe').first().waitFor();
      assert.equal(await isHacked(page), false);
      assert.deepEqual(seen(), [0, 0, 0, 0, 0, 0, 0]);
      await scene.check(page, 'answer-hostile');
    });

    onceTest('Markdown with HTML and scripts in it is shown as text', async () => {
      const page = await scrape(scene.web.url('hostile.test', '/tea.md'));
      const rendered = answer(page).getByRole('region', { name: 'Markdown' });
      await rendered.getByRole('link', { name: 'good' }).waitFor();
      assert.equal(await rendered.locator('img, script').count(), 0);
      assert.equal(await rendered.locator('a:not([href^="https://"])').count(), 0);
      assert.equal(await isHacked(page), false);
      assert.deepEqual(scene.recordOf(page).foreign, []);
    });

    for (const [path, what, own] of [
      ['/line', 'one line of a megabyte', onceTest],
      ['/big', 'a text of more than a megabyte', fullTest],
    ] as const) {
      own(`${what} is cut, says so, and the page stays usable`, async () => {
        const page = await scrape(scene.web.url('hostile.test', path), {
          formats: ['markdown', 'rawHtml'],
          fastMode: true,
        });
        for (const tab of ['Markdown', 'Source', 'Raw HTML']) {
          await openTab(page, tab);
          await answer(page).getByText('This is only the beginning').waitFor();
          assert.ok((await answer(page).getByRole('tabpanel').innerText()).length < 400_000);
        }
        await openTab(page, 'Preview');
        await answer(page).getByText('too large to be shown in full').waitFor();
        await openTab(page, 'Source');
        const saving = page.waitForEvent('download');
        await answer(page).getByRole('button', { name: 'Download' }).click();
        const file = await saving;
        assert.ok((await readFile(await file.path())).length > 900_000);
        assert.deepEqual(scene.recordOf(page).problems, []);
      });
    }

    fullTest('thousands of links are a list that filters, and each can be scraped in turn', async () => {
      const page = await scrape(scene.web.url('hostile.test', '/links'), {
        formats: ['links'],
        onlyMainContent: false,
      });
      const pane = answer(page);
      const rows = pane.getByRole('list', { name: 'Links' }).getByRole('listitem');
      assert.equal(await rows.count(), 100);
      await pane.getByRole('button', { name: 'Show 100 more' }).click();
      assert.equal(await rows.count(), 200);
      await pane.getByLabel('Filter links').fill('p/2999');
      await pane.getByText('1 of 3,000').waitFor();
      await scene.check(page, 'answer-links');
      await rows.getByRole('link', { name: 'Scrape' }).click();
      await page.waitForURL((url) => url.searchParams.get('url') === scene.web.url('hostile.test', '/p/2999'));
    });

    fullTest('JSON nested ten thousand deep, and megabytes of it, open branch by branch', async () => {
      const page = await scene.open(playground('scrape', 'url', scene.web.url('tea.test')));
      const list = Array.from({ length: 40_000 }, (_, at) => ({ name: `Row ${at}`, price: at }));
      const deep = `${'{"a":['.repeat(5_000)}"${OVERRIDE}end"${']}'.repeat(5_000)}`;
      const data = `{"json":{"deep":${deep},"list":${JSON.stringify(list)}},"metadata":{"creditsUsed":5}}`;
      // No page makes an answer like this; the console must bear one all the same.
      await page.route('**/v2/scrape', (route) =>
        route.fulfill({ contentType: 'application/json', body: `{"success":true,"data":${data}}` }),
      );
      await page.getByRole('button', { name: 'Scrape', exact: true }).first().click();
      const pane = answer(page);
      await pane.getByText('40,000 rows').waitFor();
      assert.ok((await pane.getByRole('row').count()) < 100);
      await openTab(page, 'JSON');
      for (let at = 0; at < 4; at += 1) await pane.locator('.json-branch[aria-expanded="false"]').first().click();
      await scene.check(page, 'answer-data');
      await pane.getByRole('button', { name: 'Copy' }).click();
      await pane.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.ok(copied.includes('Row 39999') && copied.includes('end'));
    });
  });
}
