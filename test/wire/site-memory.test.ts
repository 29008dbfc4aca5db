// What pages of a site have in common, over HTTP: who learns it, whom it helps, and how it is turned off and forgotten.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Explanation } from '../../src/contracts/scrape/explanation.ts';
import { runCrawl, until } from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { asNewTeam } from '../support/shared-service.ts';
import { useService } from '../support/use-service.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { createDice, paragraph } from '../support/web/words.ts';

interface Scraped {
  data: { markdown: string; metadata: Record<string, unknown>; explanation?: Explanation };
}

const APPEAL =
  'The river lamp reports for those who live beside the water, and for sixty years its readers have paid for that. Tell a friend about it.';

function story(number: number): string {
  const dice = createDice(number);
  const paragraphs = Array.from({ length: 6 }, () => `<p>${paragraph(dice)}</p>`).join('');
  const links = Array.from({ length: 4 }, (_, at) => `<a href="/story/${number + at + 1}">More</a>`).join(' ');
  const head = `<header><nav><a href="/">River lamp</a> ${links}</nav></header>`;
  return page(
    `Story ${number} | River lamp`,
    `${head}<main><article><h1>Story ${number}</h1>${paragraphs}<p>${APPEAL}</p></article></main><footer><p>© River lamp</p></footer>`,
  );
}

const SITE: Site = {
  '/story/*': (exchange) => send(exchange, story(Number(exchange.tail))),
  '/away': (exchange) =>
    send(exchange, '', { status: 302, headers: { location: `${exchange.origin('other-stories.test')}/story/77` } }),
};
const hosts = ['stories', 'other-stories', 'off', 'zdr', 'isolated', 'crawled', 'cached'];
const scene = useService({}, undefined, Object.fromEntries(hosts.map((name) => [`${name}.test`, SITE])));

async function scrape(host: string, path: string, options: object = {}, service: RunningService = scene.service) {
  const { body } = await service.scrape<Scraped>({ url: scene.web.url(`${host}.test`, path), ...options });
  return { ...body.data, siblings: body.data.metadata.siblings };
}

/** Reads pages that nobody has read, until something is known of the site. */
async function untilKnown(host: string, options: object = {}, service?: RunningService) {
  let next = 100;
  return until(
    () => scrape(host, `/story/${next++}`, options, service),
    ({ siblings }) => Number(siblings ?? 0) > 0,
  );
}

describe('the memory of a site', () => {
  test('the first page is read alone; later ones without what all pages say', async () => {
    const first = await scrape('stories', '/story/1', { maxAge: 0, fastMode: true });
    assert.equal(first.siblings, undefined);
    assert.match(first.markdown, /Tell a friend/);
    await untilKnown('stories');
    for (let number = 2; number <= 6; number++) await scrape('stories', `/story/${number}`);
    const later = await until(
      () => scrape('stories', '/story/7', { explain: true, maxAge: 0 }),
      ({ siblings }) => Number(siblings) >= 6,
    );
    assert.doesNotMatch(later.markdown, /Tell a friend/);
    assert.match(later.markdown, /^# Story 7/m);
    const { content } = later.explanation!;
    assert.equal(content!.siblings, later.siblings);
    assert.ok(content!.template!.some((text) => APPEAL.startsWith(text.slice(0, 40))));
  });

  test('a request can be read alone', async () => {
    await untilKnown('stories');
    const { siblings, markdown } = await scrape('stories', '/story/8', { siteMemory: false });
    assert.equal(siblings, undefined);
    assert.match(markdown, /Tell a friend/);
  });

  test('a page that redirects to another site is not measured by the first one', async () => {
    await untilKnown('stories');
    const { siblings, metadata } = await scrape('stories', '/away');
    assert.match(String(metadata.url), /other-stories/);
    assert.equal(siblings, undefined);
  });

  test('a cached page is made again once more is known of its site, and is a hit all the same', async () => {
    await scrape('cached', '/story/1');
    await untilKnown('cached');
    for (let number = 2; number <= 9; number++) await scrape('cached', `/story/${number}`);
    const again = await until(
      () => scrape('cached', '/story/1'),
      ({ siblings }) => Number(siblings) >= 8,
    );
    assert.equal(again.metadata.cacheState, 'hit');
    assert.doesNotMatch(again.markdown, /Tell a friend/);
    assert.equal(scene.web.requests('cached.test', '/story/1'), 1);
  });

  test('pages of a crawl help each other', async () => {
    const { documents } = await runCrawl(scene.service, {
      url: scene.web.url('crawled.test', '/story/1'),
      limit: 60,
      maxDiscoveryDepth: 20,
      crawlEntireDomain: true,
    });
    assert.equal(documents.length, 60);
    const helped = documents.filter(({ metadata }) => Number((metadata as Record<string, unknown>).siblings) > 0);
    assert.ok(helped.length > 0);
  });

  test('zero data retention neither learns nor asks', async () => {
    for (let number = 1; number <= 3; number++) await scrape('zdr', `/story/${number}`, { zeroDataRetention: true });
    await scrape('zdr', '/story/50');
    const { siblings, metadata } = await untilKnown('zdr');
    const kept = Number(new URL(String(metadata.url)).pathname.split('/').at(-1)) - 100 + 1;
    assert.ok(Number(siblings) <= kept, `${siblings} siblings of ${kept} pages that may be kept`);
    assert.equal((await scrape('zdr', '/story/51', { zeroDataRetention: true })).siblings, undefined);
  });

  test('teams that are isolated teach only themselves, and what they have learnt of a host is gone with its pages', async (t) => {
    const isolated = await startServiceHereWith(scene.web, { TRAWL_TEAM_ISOLATION: 'on' });
    t.after(() => isolated.stop());
    const [one, two] = [await asNewTeam(isolated, 'one'), await asNewTeam(isolated, 'two')];
    await untilKnown('isolated', {}, one);
    assert.equal((await scrape('isolated', '/story/300', {}, two)).siblings, undefined);
    const host = new URL(scene.web.url('isolated.test')).host;
    const deleted = await one.fetch(`/v2/index/pages?host=${encodeURIComponent(host)}`, { method: 'DELETE' });
    assert.equal(deleted.status, 200, await deleted.text());
    assert.equal((await scrape('isolated', '/story/300', {}, one)).siblings, undefined);
  });

  test('nobody learns where it is turned off', async (t) => {
    const off = await startServiceHereWith(scene.web, { TRAWL_SITE_MEMORY: 'off' });
    t.after(() => off.stop());
    for (let number = 1; number <= 3; number++) await scrape('off', `/story/${number}`, {}, off);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal((await scrape('off', '/story/400', {}, off)).siblings, undefined);
  });
});
