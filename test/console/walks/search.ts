// The search page, used as a person does: typing, chips, filters, reasons, keys, and nothing found.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { addressOf, fetchPages } from '../../support/search/search.ts';
import { type SearchPage, searchSites } from '../../support/web/search-pages.ts';
import { type Tier, testsOf } from '../support/tier.ts';
import { useConsole } from '../support/use-console.ts';

const DAY = 86_400_000;
const HOSTILE = '<img src=x onerror=alert(1)> \u202egnitteb\u202c kettle';
const PAGES: readonly SearchPage[] = [
  {
    at: 'north.test/kettles',
    title: 'The brass kettle book',
    text: 'All about the brass kettle: a brass kettle sings.',
  },
  {
    at: 'south.test/kettles',
    title: 'A side note',
    text: 'In passing there is a word on a brass kettle and its spout.',
  },
  { at: 'south.test/hostile', title: HOSTILE, text: `A kettle with ${HOSTILE} ${'kettle'.repeat(400)} in it.` },
  {
    at: 'old.test/almanac',
    title: 'The almanac',
    text: 'Tides and a kettle.',
    published: new Date(Date.now() - 800 * DAY),
  },
  {
    at: 'neu.test/kessel',
    title: 'Der Kessel',
    text: 'Der Kessel (englisch kettle) steht auf dem Herd in der Küche.',
    language: 'de',
  },
  { at: 'files.test/list.csv', title: '', text: 'kettle,price\nbrass kettle,12\ncopper kettle,9\n', type: 'text/csv' },
  ...Array.from({ length: 12 }, (_, n) => ({
    ...{ at: `many.test/${n}`, title: `Crawler number ${n}` },
    text: `A crawler called number ${n} crawls politely over ${n * 7} pages.`,
  })),
];

export function walkSearch(tier: Tier): void {
  const { fullTest, onceTest } = testsOf(tier);
  describe('the search page', NEEDS_BROWSER, () => {
    const scene = useConsole({ tier, hosts: searchSites(PAGES) });
    const box = (page: Page) => page.getByRole('searchbox', { name: 'Search the index' });
    const results = (page: Page) => page.getByRole('list', { name: 'Results' });
    const titles = (page: Page) => results(page).getByRole('heading', { level: 2 }).allInnerTexts();
    const chip = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name}` });
    const { check } = scene;

    test('an empty index says how pages get into it', async () => {
      const page = await scene.open('/console/search');
      await page.getByText('Your index has no pages yet').waitFor();
      await check(page, 'search-empty-index');
      await page.getByRole('link', { name: 'Crawl a site' }).click();
      assert.equal(new URL(page.url()).pathname, '/console/playground/crawl');
    });

    describe('with pages', () => {
      before(async () => {
        for (const { at } of PAGES) scene.web.dns.set(at.split('/')[0]!, ['127.0.0.1']);
        await fetchPages(scene.service, scene.web, PAGES);
      });

      test('shows the newest pages first, and finds as somebody types', async () => {
        const page = await scene.open('/console/search');
        await page.getByText('pages in the index, newest first').waitFor();
        assert.equal((await titles(page)).length, 10);
        await page.getByRole('button', { name: 'Show more' }).click();
        await page.getByText('Crawler number 11').or(page.getByText('Crawler number 0')).first().waitFor();
        await page.waitForFunction(() => document.querySelectorAll('.hit-title').length > 10);
        await box(page).click();
        await page.keyboard.type('brass kett');
        await page.getByText('Also finds: kettle').waitFor();
        assert.equal((await titles(page))[0], 'The brass kettle book');
        assert.deepEqual(await results(page).locator('.hit-title mark').first().allInnerTexts(), ['brass']);
        assert.equal(new URL(page.url()).searchParams.get('q'), 'brass kett');
        await check(page, 'search-results');
      });

      fullTest('operators become chips, which can be removed, and examples are taken over', async () => {
        const page = await scene.open('/console/search?q=kettle+-site%3Anorth.test+%22side+note%22');
        await chip(page, '-site:north.test').waitFor();
        assert.deepEqual(await titles(page), ['A side note']);
        await chip(page, '"side note"').click();
        await page.waitForFunction(() => document.querySelectorAll('.hit-title').length > 1);
        assert.equal(await box(page).inputValue(), 'kettle -site:north.test');
        await page.getByRole('button', { name: 'Operators' }).click();
        await check(page, 'search-operators');
        await page.getByRole('button', { name: 'filetype:pdf' }).click();
        await page.getByText('No page in your index matches').waitFor();
        assert.equal(await box(page).inputValue(), 'kettle -site:north.test filetype:pdf');
        await check(page, 'search-nothing');
        await page.getByRole('button', { name: /^Drop filetype:pdf/ }).click();
        await results(page).waitFor();
        await page.goBack();
        await page.getByText('No page in your index matches').waitFor();
        const web = page.getByRole('link', { name: 'Search the web instead' });
        assert.match((await web.getAttribute('href'))!, /^\/console\/playground\/search\?query=kettle/);
      });

      fullTest('filters narrow the results, are in the address, and can be cleared', async () => {
        const page = await scene.open('/console/search?q=kettle');
        await page.getByRole('checkbox', { name: /^German/ }).check();
        await chip(page, 'German').waitFor();
        await page.waitForFunction(() => document.querySelectorAll('.hit-title').length === 1);
        assert.deepEqual(await titles(page), ['Der Kessel']);
        assert.equal(new URL(page.url()).search, '?q=kettle&lang=de');
        await page.getByRole('checkbox', { name: /^English/ }).waitFor(); // what else could be chosen stays
        await check(page, 'search-filtered');
        await page.getByRole('radio', { name: /^Past day/ }).check();
        await chip(page, 'Past day').click();
        await page.getByRole('button', { name: 'Clear filters' }).click();
        await page.getByRole('checkbox', { name: /^CSV/ }).check();
        await page.waitForFunction(() => document.querySelectorAll('.hit-title').length === 1);
        await page.reload();
        await chip(page, 'CSV').waitFor();
        await page.getByRole('radio', { name: 'Newest first' }).check();
        await page.getByText(', newest first').waitFor();
      });

      fullTest('on a phone, filters are behind a button', async () => {
        const page = await scene.open('/console/search?q=kettle', { width: 390 });
        await results(page).waitFor();
        await page.getByRole('checkbox', { name: /^German/ }).waitFor({ state: 'hidden' });
        await page.getByRole('button', { name: 'Filters' }).click();
        await page.getByRole('checkbox', { name: /^German/ }).check();
        await page.waitForFunction(() => document.querySelectorAll('.hit-title').length === 1);
        await check(page, 'search-phone-filters');
      });

      fullTest('a result says why it is found, and the points add up to its score', async () => {
        const page = await scene.open('/console/search?q=brass+kettle');
        await results(page).getByRole('button', { name: 'Explain' }).first().click();
        const table = page.getByRole('table', { name: 'The parts of the score' });
        await table.getByText('“brass”: 1× in the title').waitFor();
        const points = await table.locator('tbody .score-value').allInnerTexts();
        const sum = points.reduce((total, text) => total + Number(text.replace('−', '-')), 0);
        const score = Number(await table.locator('tfoot .score-value').innerText());
        assert.ok(Math.abs(sum - score) < 0.01 * (points.length + 1), `${sum} is not ${score}`);
        await check(page, 'search-explained');
        const links = results(page).getByRole('listitem').first().getByRole('link');
        const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
        assert.match(hrefs[0]!, /^http:\/\/north\.test/);
        assert.match(hrefs[1]!, /^\/console\/pages\?host=north\.test&url=http/);
        assert.match(hrefs[2]!, /^\/console\/playground\/scrape\?url=http/);
      });

      onceTest('the keyboard reaches everything', async () => {
        const page = await scene.open('/console/search?q=kettle');
        await results(page).waitFor();
        const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
        await box(page).focus();
        await page.keyboard.press('ArrowDown');
        const [first, second] = await titles(page);
        assert.equal(await focused(), first);
        await page.keyboard.press('ArrowDown');
        assert.equal(await focused(), second);
        await page.keyboard.press('/');
        assert.ok(await box(page).evaluate((element) => element === document.activeElement));
        await page.keyboard.press('Escape');
        assert.equal(await box(page).inputValue(), '');
        await page.getByText('pages in the index').waitFor();
        await page.goBack();
        await page.waitForFunction(
          () => (document.querySelector('#search-box') as HTMLInputElement).value === 'kettle',
        );
      });

      test('hostile pages are shown as text, and an unreachable service in words', async () => {
        const page = await scene.open('/console/search?q=onerror');
        await results(page).waitFor();
        assert.ok((await titles(page))[0]!.includes('<img src=x onerror=alert(1)>'));
        assert.equal(await results(page).locator('img').count(), 0);
        await check(page, 'search-hostile');
        await page.route('**/v2/index/search', (route) => route.abort());
        await box(page).fill('kettle');
        await page.getByText('The service did not answer.').waitFor();
        await page.unroute('**/v2/index/search');
        await page.getByRole('button', { name: 'Try again' }).click();
        await results(page).waitFor();
        assert.ok(PAGES.every((each) => addressOf(scene.web, each).startsWith('http')));
      });
    });
  });
}
