// The left half of the playground, used as a person does: forms, runs, jobs, files, sessions, and the same call as code.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { NEEDS_SANDBOX } from '../../support/sandbox.ts';
import { page as htmlPage, reply, type Site } from '../../support/web/reply.ts';
import { type Tier, testsOf } from '../support/tier.ts';
import { useConsole } from '../support/use-console.ts';

const HOST = 'playground.test';
const SLOW = 'slow-playground.test';
const sh = promisify(execFile);
const links = (paths: readonly string[]) =>
  paths.map((path) => `<p><a href="${path}">Chapter ${path}</a></p>`).join('');

const site: Site = {
  '/': reply(htmlPage('The book', `<p>A book about rivers and bridges.</p>${links(['/one', '/two', '/three'])}`)),
  '/one': reply(htmlPage('Chapter one', '<p>The bridge was built in 1821 by Ada Stone.</p>')),
  '/two': reply(htmlPage('Chapter two', '<p>The river is 84 km long and flows to the sea.</p>')),
  '/three': reply(htmlPage('Chapter three', '<p>The mill closed long ago.</p>')),
};

/** A host of its own: the service asks one that does not answer less often. */
const slowSite: Site = {
  // Answers nothing until the caller leaves.
  '/slow': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  '/site': reply(htmlPage('Slow site', links(['/site/slow']))),
  '/site/*': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
};

const request = (page: Page) => page.getByRole('region', { name: 'Request' });
const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });
const code = (page: Page) => page.getByRole('region', { name: 'The same call as code' });
const url = (page: Page) => request(page).getByRole('textbox', { name: 'URL', exact: true });
const shownCode = (page: Page, label: string) =>
  code(page).getByRole('region', { name: label, exact: true }).innerText();

async function waitForState(page: Page, state: string): Promise<void> {
  await answer(page).getByText(state, { exact: true }).first().waitFor({ timeout: 90_000 });
}

export function walkPlayground(tier: Tier): void {
  const { onceTest, fullTest } = testsOf(tier);
  describe('the playground', NEEDS_BROWSER, () => {
    const scene = useConsole({
      tier,
      hosts: { [HOST]: site, [SLOW]: slowSite },
    });
    const at = (path: string) => scene.web.url(HOST, path);
    const open = async (operation: string) => {
      const page = await scene.open(`/console/playground/${operation}`);
      await request(page).getByRole('tab', { name: 'Form' }).waitFor();
      return page;
    };

    test('a newcomer finds the field with the focus, an example to click, and reads a page', async () => {
      const page = await scene.open('/');
      await url(page).waitFor();
      await scene.check(page, 'playground-first');
      assert.equal(
        await page.evaluate(() => document.activeElement?.getAttribute('placeholder')),
        'https://example.com',
      );
      await request(page).getByRole('button', { name: 'example.com', exact: true }).click();
      assert.equal(await url(page).inputValue(), 'https://example.com');
      await url(page).fill(at('/'));
      await page.keyboard.press('Control+Enter');
      await waitForState(page, 'Done');
      await answer(page).getByRole('heading', { name: 'The book' }).first().waitFor();
      // The address shows the same form again, and sends nothing by itself.
      const requests = scene.web.requests(HOST);
      assert.equal(new URL(page.url()).searchParams.get('url'), at('/'));
      await page.reload();
      await url(page).waitFor();
      assert.equal(await url(page).inputValue(), at('/'));
      await page.getByRole('region', { name: 'The same call as code' }).waitFor();
      assert.equal(scene.web.requests(HOST), requests);
      await request(page).getByRole('combobox', { name: 'Recent requests' }).selectOption({ index: 1 });
      assert.equal(await url(page).inputValue(), at('/'));
    });

    fullTest('without a network, the manual of the server is read and crawled', async () => {
      const page = await scene.open('/');
      await request(page).getByRole('button', { name: 'A page of the manual' }).click();
      await request(page).getByRole('button', { name: 'Scrape' }).click();
      await answer(page).getByRole('heading', { name: 'The first five minutes' }).first().waitFor();
      await request(page).getByRole('button', { name: 'Crawl this site' }).click();
      await request(page).getByRole('spinbutton', { name: 'Limit' }).fill('3');
      await request(page).getByRole('button', { name: 'Start the crawl' }).click();
      await answer(page).getByText('3 of 3 pages').waitFor({ timeout: 90_000 });
    });

    onceTest('what comes next is filled in, and left to the person to run', async () => {
      const page = await open('scrape');
      await url(page).fill(at('/one'));
      await request(page).getByRole('button', { name: 'Scrape' }).click();
      await waitForState(page, 'Done');
      await request(page).getByRole('button', { name: 'Ask a question of this page' }).click();
      await request(page).getByRole('textbox', { name: 'Question' }).fill('Who built the bridge?');
      await request(page).getByRole('button', { name: 'Scrape' }).click();
      await answer(page).getByText('Ada Stone').first().waitFor();
      await request(page).getByRole('button', { name: 'Crawl this site' }).click();
      await page.waitForURL(/\/console\/playground\/crawl\?url=/);
      assert.equal(await url(page).inputValue(), at('/'));
      assert.equal(await request(page).getByRole('spinbutton', { name: 'Limit' }).inputValue(), '10');
    });

    fullTest('options of every kind are set in the form, shown as JSON, and changed there', async () => {
      const page = await open('scrape');
      await url(page).fill(at('/two'));
      const form = request(page);
      await form.getByRole('button', { name: 'Links', exact: true }).click();
      await form.getByRole('button', { name: 'JSON', exact: true }).click();
      await form.getByRole('textbox', { name: 'Prompt' }).fill('The length of the river');
      await form.getByRole('textbox', { name: 'Schema' }).fill('{"type": "object"');
      await form.getByText('It ends too early').waitFor();
      await form.getByRole('button', { name: 'Scrape' }).click();
      await form.getByText('This is not valid JSON.').first().waitFor();
      await form
        .getByRole('textbox', { name: 'Schema' })
        .fill('{"type": "object", "properties": {"length": {"type": "string"}}}');
      await form.getByRole('checkbox', { name: 'Only main content' }).uncheck();
      await form.getByText('More options').click();
      await scene.check(page, 'playground-more-options');
      const find = form.getByRole('searchbox', { name: 'Find an option' });
      await find.fill('proxy');
      await form.getByRole('combobox', { name: 'Proxy' }).selectOption('basic');
      assert.equal(await form.getByRole('combobox', { name: 'Redact PII' }).count(), 0);
      await find.fill('personal data');
      await form.getByRole('combobox', { name: 'Redact PII' }).selectOption('With options');
      await form.getByRole('combobox', { name: 'Replace style' }).selectOption('mask');
      await find.fill('header');
      await form.getByRole('button', { name: 'Add a row to Headers' }).click();
      await form.getByRole('textbox', { name: 'Name 1 of Headers' }).fill('x-test');
      await form.getByRole('textbox', { name: 'Value 1 of Headers' }).fill('yes');
      await find.fill('country');
      await form.getByRole('textbox', { name: 'Country' }).fill('DE');
      await find.fill('click');
      await form.getByRole('combobox', { name: 'Add to Actions' }).selectOption('wait');
      await form.getByRole('combobox', { name: 'Add to Actions' }).selectOption('click');
      await form.getByRole('spinbutton', { name: 'Milliseconds' }).fill('5');
      await form.getByRole('textbox', { name: 'Selector' }).last().fill('h1');
      await form.getByRole('button', { name: 'Move step 2, Click up' }).click();
      await find.fill('no such thing');
      await form.getByText('No option has these words.').waitFor();
      await form.getByRole('tab', { name: 'JSON' }).click();
      const json = form.getByRole('textbox', { name: 'Request body' });
      assert.deepEqual(JSON.parse(await json.inputValue()), {
        url: at('/two'),
        formats: [
          'markdown',
          'links',
          {
            type: 'json',
            prompt: 'The length of the river',
            schema: { type: 'object', properties: { length: { type: 'string' } } },
          },
        ],
        onlyMainContent: false,
        proxy: 'basic',
        redactPII: { replaceStyle: 'mask' },
        headers: { 'x-test': 'yes' },
        location: { country: 'DE' },
        actions: [
          { type: 'click', selector: 'h1' },
          { type: 'wait', milliseconds: 5 },
        ],
      });
      await json.fill('{"url": ');
      await form.getByText('It ends too early').waitFor();
      await json.fill(JSON.stringify({ url: at('/two'), waitFor: 7, formats: [{ type: 'soup' }] }));
      await scene.check(page, 'playground-json');
      await form.getByRole('tab', { name: 'Form' }).click();
      assert.equal(await form.getByRole('spinbutton', { name: 'Wait for' }).inputValue(), '7');
      // What the form cannot show is edited as JSON, not lost.
      assert.match(await form.getByRole('textbox', { name: 'Formats' }).inputValue(), /soup/);
    });

    test('what the service refuses is said at its field', async () => {
      const page = await open('scrape');
      const form = request(page);
      await form.getByRole('button', { name: 'Scrape' }).click();
      await form.getByText('Enter the address of a page first').waitFor();
      await url(page).fill(at('/'));
      await form.getByRole('spinbutton', { name: 'Wait for' }).fill('999999');
      await form.getByText('More options').click();
      await form.getByRole('spinbutton', { name: 'Timeout' }).fill('5');
      await form.getByText('More options').click();
      await form.getByRole('button', { name: 'Scrape' }).click();
      await waitForState(page, 'Failed');
      const wait = form.getByRole('spinbutton', { name: 'Wait for' });
      await form.getByText('`waitFor` must be at most 60000.').waitFor();
      assert.equal(await wait.getAttribute('aria-invalid'), 'true');
      assert.equal(await wait.evaluate((field) => field === document.activeElement), true);
      // The option that is wrong is opened.
      await form.getByRole('spinbutton', { name: 'Timeout' }).waitFor();
      assert.equal(await form.getByRole('spinbutton', { name: 'Timeout' }).getAttribute('aria-invalid'), 'true');
      await scene.check(page, 'playground-refused');
    });

    onceTest('a request that takes long is cancelled', async () => {
      const page = await open('scrape');
      await url(page).fill(scene.web.url(SLOW, '/slow'));
      await request(page).getByRole('button', { name: 'Scrape' }).click();
      await request(page).getByRole('button', { name: 'Cancel' }).click();
      await waitForState(page, 'Cancelled');
      assert.equal(await request(page).getByRole('button', { name: 'Cancel' }).count(), 0);
    });

    fullTest('a crawl is followed to its end, and found again among the jobs', async () => {
      const page = await open('crawl');
      await url(page).fill(at('/'));
      await request(page).getByRole('spinbutton', { name: 'Limit' }).fill('4');
      await request(page).getByRole('button', { name: 'Start the crawl' }).click();
      await waitForState(page, 'Done');
      await answer(page)
        .getByText(/4 of 4 pages/)
        .waitFor();
      const link = request(page).getByRole('link', { name: 'Open the job' });
      assert.match((await link.getAttribute('href'))!, /^\/console\/jobs\/crawl\/[0-9a-f-]{36}$/);
    });

    onceTest('a running crawl is cancelled on the server', async () => {
      const page = await open('crawl');
      await url(page).fill(scene.web.url(SLOW, '/site'));
      await request(page).getByRole('button', { name: 'Start the crawl' }).click();
      const job = await request(page).getByRole('link', { name: 'Open the job' }).getAttribute('href');
      await request(page).getByRole('button', { name: 'Cancel' }).click();
      await waitForState(page, 'Cancelled');
      const status = await scene.service.fetch(`/v2/crawl/${job!.split('/').at(-1)}`);
      assert.equal(((await status.json()) as { status: string }).status, 'cancelled');
    });

    fullTest('search, map, extract and agent are run by their forms', async () => {
      const page = await open('map');
      await url(page).fill(at('/'));
      await request(page).getByRole('button', { name: 'Map the site' }).click();
      await waitForState(page, 'Done');
      await answer(page).getByText('/three').first().waitFor();
      const operations = page.getByRole('navigation', { name: 'Operation' });
      await operations.getByRole('link', { name: 'Extract' }).click();
      await request(page).getByRole('textbox', { name: 'URLs' }).fill(at('/one'));
      await request(page).getByRole('textbox', { name: 'Prompt', exact: true }).fill('Who built the bridge?');
      await request(page).getByRole('button', { name: 'Extract' }).click();
      await waitForState(page, 'Done');
      await scene.check(page, 'playground-extract');
      await operations.getByRole('link', { name: 'Agent' }).click();
      await request(page).getByRole('textbox', { name: 'Prompt', exact: true }).fill('How long is the river?');
      await request(page).getByRole('textbox', { name: 'URLs' }).fill(at('/two'));
      await request(page).getByRole('button', { name: 'Start the agent' }).click();
      await waitForState(page, 'Done');
      await answer(page).getByText('84 km').first().waitFor();
      await operations.getByRole('link', { name: 'Search' }).click();
      await request(page).getByRole('textbox', { name: 'Query' }).fill('river sea');
      await page.keyboard.press('Enter');
      await waitForState(page, 'Done');
      // Each form keeps what was in it.
      await operations.getByRole('link', { name: 'Map' }).click();
      assert.equal(await url(page).inputValue(), at('/'));
    });

    test('a file is chosen or dropped, and parsed', async () => {
      const page = await open('parse');
      const form = request(page);
      await form.getByText('Up to 50.0 MB.').waitFor();
      await form.getByRole('button', { name: 'Parse the file' }).click();
      await form.getByText('Choose the file to parse first.').waitFor();
      await scene.check(page, 'playground-parse');
      await form
        .getByLabel('File')
        .setInputFiles({ name: 'a table.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2') });
      await form.getByRole('button', { name: 'Parse the file' }).click();
      await waitForState(page, 'Done');
      assert.match(await shownCode(page, 'curl'), /-F 'file=@"a table\.csv"'/);
      const dropped = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(
          new File(['# Dropped\n\nText of the dropped file.'], 'dropped.md', { type: 'text/markdown' }),
        );
        return transfer;
      });
      await page.locator('.file-drop').dispatchEvent('drop', { dataTransfer: dropped });
      await form.getByText('dropped.md', { exact: true }).waitFor();
      await form.getByRole('button', { name: 'Parse the file' }).click();
      await answer(page).getByText('Text of the dropped file.').first().waitFor();
      await page.reload();
      await form.getByRole('button', { name: 'Use a chapter of the manual' }).click();
      await form.getByText('start.md', { exact: true }).waitFor();
      await form.getByRole('button', { name: 'Parse the file' }).click();
      await waitForState(page, 'Done');
    });

    fullTest('a browser session is opened, watched, driven and closed', async () => {
      const page = await open('browser');
      const form = request(page);
      await form.getByRole('button', { name: 'Open a session' }).click();
      const view = page.frameLocator('iframe[title="Live view of the browser"]');
      await view.locator('body').waitFor();
      if (!NEEDS_SANDBOX.skip) {
        await form
          .getByRole('textbox', { name: 'Code' })
          .fill(`await page.goto('${at('/three')}'); await page.title();`);
        await form.getByRole('button', { name: 'Run the code' }).click();
        await answer(page).getByText('Chapter three').first().waitFor({ timeout: 90_000 });
      }
      await form.getByRole('tab', { name: 'Prompt' }).click();
      await form.getByRole('textbox', { name: 'What to do' }).fill('Read the heading');
      await form.getByRole('button', { name: 'Do it' }).click();
      await answer(page)
        .getByText(/needs a language model/)
        .first()
        .waitFor();
      await scene.check(page, 'playground-browser');
      await form.getByRole('button', { name: 'Close the session' }).click();
      await page.getByText(/The session has ended/).waitFor();
      assert.equal(await page.locator('iframe').count(), 0);
    });

    test('the code to paste makes the same call, in every client', async () => {
      const page = await open('scrape');
      await url(page).fill(at(`/one?it's=$HOME`));
      const curl = await shownCode(page, 'curl');
      const env = { PATH: process.env.PATH, TRAWL_API_KEY: scene.service.key };
      const { stdout } = await sh('sh', ['-c', curl], { env });
      assert.equal((JSON.parse(stdout) as { success: boolean }).success, true);
      for (const [client, text] of [
        ['JavaScript', 'new Firecrawl({ apiKey: process.env.TRAWL_API_KEY'],
        ['Python', 'Firecrawl(api_key=os.environ["TRAWL_API_KEY"]'],
        ['CLI', 'trawl scrape'],
        ['MCP', 'firecrawl_scrape'],
      ] as const) {
        await code(page).getByRole('tab', { name: client, exact: true }).click();
        await code(page).getByRole('region', { name: client, exact: true }).getByText(text).waitFor();
      }
      await code(page)
        .getByText(`${scene.service.url.replace(/\/$/, '')}/mcp`)
        .waitFor();
      const programs = page.getByRole('region', { name: 'Use from other programs' });
      await programs.getByRole('combobox', { name: 'Program' }).selectOption('LobeHub');
      await programs.getByText(`SEARXNG_URL=${new URL(scene.service.url).origin}/searxng/key/KEY`).waitFor();
      await scene.check(page, 'playground-snippets');
      await code(page).getByRole('button', { name: 'Copy' }).first().click();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /firecrawl_scrape/);
    });
  });
}
