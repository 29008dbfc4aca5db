// The first minutes of somebody who has read nothing: from the line that `npm start` prints to Markdown, a crawl, a key, a
// command that works, and a search over the crawled pages. With TRAWL_README_PICTURES=1 it also makes the pictures of README.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { type DemoWeb, startWeb } from '../../demo/web/web.ts';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { sharedBrowser } from '../support/browser/shared-browser.ts';
import { buildConsoleIfNeeded } from '../support/built-console.ts';
import { ROOT } from '../support/program.ts';
import { type RunningProgram, startService } from '../support/service.ts';
import { checkPage } from './support/check-page.ts';
import { type PageRecord, recordPage } from './support/page-record.ts';

const PICTURES = join(ROOT, 'web/pictures');
const VIEW = { width: 1_280, height: 800 };
/** Several times what a crawl of the small web takes on a machine that is busy with other tests. */
const WORK_MS = 120_000;
const sh = promisify(execFile);

describe('a newcomer', NEEDS_BROWSER, () => {
  let web: DemoWeb;
  let service: RunningProgram;
  let context: BrowserContext;
  let page: Page;
  let record: PageRecord;

  before(async () => {
    buildConsoleIfNeeded();
    web = await startWeb();
    service = await startService({ TRAWL_ALLOW_NETWORKS: web.host });
    context = await (await sharedBrowser()).newContext({ viewport: VIEW, colorScheme: 'light' });
    page = await context.newPage();
    record = await recordPage(page, service.url);
  });
  after(async () => {
    await context?.close();
    await service?.stop();
    await web?.stop();
  });

  const picture = async (name: string) => {
    if (!process.env.TRAWL_README_PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  };
  const goTo = (name: string) =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true }).click();
  const request = () => page.getByRole('region', { name: 'Request' });
  const answer = () => page.getByRole('region', { name: 'Answer' });

  test('opens the printed address, is logged in, and reads a page', async () => {
    const link = /Console: (\S+)/.exec(service.output().stdout)?.[1];
    assert.ok(link, 'the start message has the address of the console');
    await page.goto(link);
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    assert.ok(!page.url().includes('login'), 'the link is gone from the address bar');
    await request().getByRole('textbox', { name: 'URL', exact: true }).fill(`${web.url}/shop/storm-lantern`);
    await page.keyboard.press('Enter');
    await answer().getByRole('heading', { name: 'Storm lantern', exact: true }).waitFor();
    await picture('playground');
  });

  test('crawls the site, and sees its pages come in', async () => {
    await request().getByRole('button', { name: 'Crawl this site' }).click();
    await request().getByRole('spinbutton', { name: 'Limit' }).fill('100');
    await request().getByRole('button', { name: 'Start the crawl' }).click();
    await answer().getByText('Done', { exact: true }).first().waitFor({ timeout: WORK_MS });
    await goTo('Jobs');
    await page.getByRole('main').getByRole('link', { name: web.host }).first().click();
    await page.getByText('/shop/storm-lantern').first().waitFor();
    await picture('crawl');
    await checkPage(page, record, 'newcomer-crawl', 'full');
  });

  test('makes a key, and runs the command that is shown with it', async () => {
    await goTo('Settings');
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Label' }).fill('My laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const command = page.getByRole('dialog').getByRole('region', { name: 'A first call' });
    await command.waitFor();
    const { stdout } = await sh('sh', ['-c', await command.innerText()]);
    assert.equal((JSON.parse(stdout) as { success: boolean }).success, true);
    await page.keyboard.press('Escape');
    await page.getByText('My laptop').first().waitFor();
  });

  test('finds the crawled pages while typing', async () => {
    await goTo('Search');
    await page.getByRole('searchbox').fill('wick lanter');
    await page
      .getByRole('main')
      .getByRole('link', { name: /Storm lantern/ })
      .first()
      .waitFor();
    await checkPage(page, record, 'newcomer-search', 'full');
  });
});
