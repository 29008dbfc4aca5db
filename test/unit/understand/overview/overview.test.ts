// What is said about pages that are no articles, and that articles keep their sentences.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carriedSource } from '../../../../src/page/understanding.ts';
import { findOverview } from '../../../../src/understand/overview/overview.ts';
import { pageSource } from '../../../support/page-source.ts';
import { jsonLd } from '../../../support/structured-data.ts';

function overview(html: string, markdown: string, url?: string): string | undefined {
  const found = findOverview(carriedSource(pageSource(html, url, markdown)));
  // Every piece stands on the page, and in the overview.
  for (const { start, end } of found?.spans ?? []) assert.ok(found!.text.includes(markdown.slice(start, end)));
  return found?.text;
}

const TEAPOT = {
  '@type': 'Product',
  name: 'Teapot Sakura',
  description: 'Cast in small series by people whom we know. It holds a litre.',
  offers: { '@type': 'Offer', price: '49.90', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
};

test('a product is its name, price, stock and the first sentence about it, as the page writes them', () => {
  const markdown = [
    '# Teapot Sakura',
    '49,90 €',
    'In stock, ships tomorrow',
    'Cast in small series by people whom we know. It holds a litre.',
    'We deliver to every country of the union within a few days.',
  ].join('\n\n');
  assert.equal(
    overview(`<html lang="de">${jsonLd(TEAPOT)}<h1>Teapot Sakura</h1>`, markdown),
    'Teapot Sakura: 49,90 €, In stock, ships tomorrow. Cast in small series by people whom we know.',
  );
});

test('what only the data of a shop says is left out, and a price outside of the content is taken from there', () => {
  const markdown = '# Teapot Sakura\n\nIt holds a litre.';
  assert.equal(overview(jsonLd(TEAPOT), markdown), undefined);
  const shown = `${jsonLd(TEAPOT)}<div><span class="price">€ 49.90</span><b>Teapot</b></div>`;
  assert.equal(overview(shown, markdown), 'Teapot Sakura: € 49.90. It holds a litre.');
});

const card = (name: string, company: string) =>
  `<div class="tile"><h2><a href="/jobs/${name.length}">${name}</a></h2><p class="company">${company}</p></div>`;
const JOBS = ['Kiln technician', 'Glaze chemist', 'Shop assistant', 'Studio lead'];
const jobsPage = `<h1>Open positions</h1>${JOBS.map((name) => card(name, `Kiln & Clay ${name.length}`)).join('')}`;
const jobsList = JOBS.map(
  (name) => `## [${name}](https://shop.test/jobs/${name.length})\n\nKiln & Clay ${name.length}`,
);

test('a list is what it lists, how many, the first few, and what is said before them', () => {
  const markdown = ['# Open positions', 'We hire all year round in two studios.', ...jobsList].join('\n\n');
  assert.equal(
    overview(`<title>Jobs</title>${jobsPage}`, markdown),
    'Open positions (4): Kiln technician; Glaze chemist; Shop assistant; … We hire all year round in two studios.',
  );
  const counted = `<h1>4 positions</h1>${jobsPage.slice(jobsPage.indexOf('</h1>') + 5)}`;
  const text = overview(counted, ['# 4 positions', ...jobsList].join('\n\n'));
  assert.equal(text, '4 positions: Kiln technician; Glaze chemist; Shop assistant; …');
});

test('a list below a text, the sections of one thing, and links without names are no list pages', () => {
  const prose = 'The studio has burned clay for a hundred years, and the street is named after its first oven. '.repeat(
    9,
  );
  assert.equal(overview(jobsPage, ['# Open positions', prose, ...jobsList].join('\n\n')), undefined);
  const article = `${jsonLd({ '@type': 'NewsArticle', headline: 'Open positions' })}${jobsPage}`;
  assert.equal(overview(article, ['# Open positions', ...jobsList].join('\n\n')), undefined);
  const sections = ['When', 'Where', 'Who'].map(
    (name, at) => `<div class="s"><h2>${name}</h2><p>It is ${at}.</p></div>`,
  );
  const shown = '# Games night\n\n## When\n\nIt is 0.\n\n## Where\n\nIt is 1.\n\n## Who\n\nIt is 2.';
  assert.equal(overview(`<h1>Games night</h1>${sections.join('')}`, shown), undefined);
  const more = JOBS.map(() => card('Read more', 'Kiln & Clay')).join('');
  assert.equal(
    overview(`<h1>News</h1>${more}`, `# News\n\n${'[Read more](/x)\n\nKiln & Clay\n\n'.repeat(4)}`),
    undefined,
  );
});

test('a thread is its topic and its first post, by its data or by the writers of its posts', () => {
  const first = 'My starter smells of acetone. What is wrong with it? I feed it daily.';
  const markdown = `# Sourdough smells\n\nmilla\n\n${first}\n\nknead\n\nIt is hungry. Feed it twice a day for a while.`;
  const said = 'Sourdough smells – milla. My starter smells of acetone. What is wrong with it?';
  const posting = { '@type': 'DiscussionForumPosting', headline: 'Sourdough smells', text: first };
  assert.equal(overview(jsonLd({ ...posting, author: { '@type': 'Person', name: 'milla' } }), markdown), said);
  const post = (writer: string, text: string) =>
    `<div class="post"><b class="username">${writer}</b><i>May 4</i><div class="body">${text}</div></div>`;
  const posts = post('milla', first) + post('knead', 'It is hungry. Feed it twice a day for a while.');
  assert.equal(overview(`<h1>Sourdough smells</h1>${posts}`, markdown), said);
  const faq = { '@type': 'FAQPage', mainEntity: [{ '@type': 'Question', name: 'Sourdough smells', text: first }] };
  assert.equal(overview(jsonLd(faq), markdown), undefined);
});

test('a mail is its subject, its sender and how it begins', () => {
  const head = '# Boats\n\n**From:** Ann Example \\<ann@example.org>  \n**Date:** Wed, 13 Mar 2024\n\n';
  const body = 'The boats to the island start again on Monday morning. Tickets are sold on board.';
  assert.equal(overview('', `${head}Hi Bob,\n\n${body}`), `Boats – Ann Example. ${body}`);
});

test('a menu is whose it is, and its sections with the first dishes', () => {
  const dish = (name: string, price: string) => ({
    '@type': 'MenuItem',
    name,
    offers: { price, priceCurrency: 'EUR' },
  });
  const section = (name: string, dishes: object[]) => ({ '@type': 'MenuSection', name, hasMenuItem: dishes });
  const menu = {
    '@type': 'Restaurant',
    name: 'Gull & Anchor',
    hasMenu: {
      '@type': 'Menu',
      hasMenuSection: [
        section('Starters', [dish('Soup', '5'), dish('Bread', '3'), dish('Olives', '4')]),
        section('Mains', [dish('Cod', '18')]),
      ],
    },
  };
  const markdown = '# Gull & Anchor\n\n## Starters\n\nSoup 5 €\n\nBread 3 €\n\nOlives 4 €\n\n## Mains\n\nCod 18 €';
  assert.equal(overview(jsonLd(menu), markdown), 'Gull & Anchor. Starters (3): Soup, Bread, … Mains (1): Cod.');
});
