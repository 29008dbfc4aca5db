// What the siblings of a page say about its blocks, and what of it reaches the choice of the content.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TransformRequest } from '../../../../../src/page/page.ts';
import { learnPage, type PageSite, type SiteMemory } from '../../../../../src/page/site-memory.ts';
import { createExtractor } from '../../../../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../../../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../../../../src/transform/pipeline.ts';
import { createDice, paragraph } from '../../../../support/web/words.ts';

const pipeline = createPipeline({
  judge: () => ({ kind: 'content', reason: '' }),
  extract: createExtractor(loadModel()),
});

function transform(html: string, more: Partial<TransformRequest> = {}) {
  return pipeline({
    page: {
      finalUrl: 'https://example.com/2026/a-story',
      status: 200,
      headers: {},
      contentType: 'text/html; charset=utf-8',
      bytes: Buffer.from(html),
      fetchedAt: Date.UTC(2031, 4, 1),
    },
    options: {
      formats: ['markdown'],
      onlyMainContent: true,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      blockAds: true,
    },
    index: true,
    explains: true,
    ...more,
  });
}

const APPEAL =
  'The river lamp reports for those who live beside the water, and for sixty years its readers have paid for that. Tell a friend about it.';
const dice = createDice(11);
const story = (
  title: string,
  extra = '',
) => `<!doctype html><html><head><title>${title} | River lamp</title></head><body>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></nav></header>
<main><article><h1>${title}</h1>${Array.from({ length: 6 }, () => `<p>${paragraph(dice)}</p>`).join('')}
<p>${APPEAL}</p>${extra}</article></main><footer><p>© 2031 River lamp</p></footer></body></html>`;

/** What a site that has these pages teaches. */
const siteOf = (pages: string[]): PageSite => ({
  name: 'example.com',
  memory: pages.reduce<SiteMemory | undefined>(
    (memory, html, url) => learnPage(memory, { url, texts: transform(html).texts!, at: 60_000 }),
    undefined,
  )!,
  url: 99,
});
const stories = (count: number) => Array.from({ length: count }, (_, at) => story(`Story ${at}`));

describe('with siblings', () => {
  test('a text that stands on all of them is left out of an article, and shown as template', () => {
    const html = story('The last story');
    const alone = transform(html);
    assert.match(String(alone.content.markdown), /Tell a friend/);
    assert.deepEqual([alone.siblings, alone.template], [undefined, undefined]);
    const known = transform(html, { site: siteOf(stories(6)) });
    assert.equal(known.siblings, 6);
    assert.doesNotMatch(String(known.content.markdown), /Tell a friend/);
    assert.ok(known.template!.some((text) => APPEAL.startsWith(text.slice(0, 50))));
    assert.match(String(known.content.markdown), /^# The last story$/m);
  });

  test('a page whose texts stand nowhere else is read as alone', () => {
    const html = story('The last story');
    const other = Array.from({ length: 3 }, () => `<main><h1>${paragraph(dice)}</h1><p>${paragraph(dice)}</p></main>`);
    const known = transform(html, { site: siteOf(other) });
    assert.equal(known.siblings, undefined);
    assert.equal(known.content.markdown, transform(html).content.markdown);
  });

  test('a copy of the page under another address does not make its content a template', () => {
    const html = story('The last story');
    const known = transform(html, { site: siteOf([html, html, html]) });
    assert.equal(known.siblings, undefined);
    assert.equal(known.content.markdown, transform(html).content.markdown);
  });

  test('the page is no sibling of itself', () => {
    const html = story('The last story');
    const site = { ...siteOf([html]), url: 0 };
    assert.equal(transform(html, { site }).siblings, undefined);
  });

  test('hostile siblings that repeat single paragraphs of a page cannot remove its content', () => {
    const html = story('The last story');
    const paragraphs = html.match(/<p>.*?<\/p>/g)!;
    const thieves = paragraphs.map((text, at) => `<main><h1>Thief ${at}</h1>${text}<p>${paragraph(dice)}</p></main>`);
    const known = String(transform(html, { site: siteOf(thieves) }).content.markdown);
    const kept = paragraphs.filter((text) => known.includes(text.slice(3, 40)));
    assert.ok(kept.length >= paragraphs.length - 2, `${kept.length} of ${paragraphs.length} paragraphs`);
  });

  test('without explanations nothing is listed, and of long lists the first texts', () => {
    const html = story('The last story');
    const site = siteOf(stories(4));
    assert.equal(transform(html, { site, explains: false }).template, undefined);
    const menu = Array.from({ length: 100 }, (_, at) => `<li><a href="/${at}">Section number ${at}</a></li>`).join('');
    const withMenu = (text: string) => text.replace('</ul></nav>', `${menu}</ul></nav>`);
    const listed = transform(withMenu(html), { site: siteOf(stories(4).map(withMenu)) });
    assert.equal(listed.template!.length, 20);
  });
});
