// Which links match a query.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { termsOf } from '../../../../src/crawl/rank-links/link-words.ts';
import { type RankedLink, rankLinks } from '../../../../src/crawl/rank-links/rank-links.ts';
import { soon } from '../../net/local.ts';

const SITE = 'https://site.test';

/** The paths in ranked order. */
async function rank(query: string, links: (string | RankedLink)[]): Promise<string[]> {
  const given = links.map((link) =>
    typeof link === 'string' ? { url: SITE + link } : { ...link, url: SITE + link.url },
  );
  return (await rankLinks(given, query, soon())).map(({ link }) => link.url.replace(SITE, ''));
}

/** Whether the query ranks the link above unrelated ones. */
async function finds(query: string, link: string | RankedLink): Promise<boolean> {
  const others = ['/one', '/two', '/three'];
  const target = typeof link === 'string' ? link : link.url;
  return (await rank(query, [...others, link]))[0] === target;
}

test('matching links come first, all others keep their order', async () => {
  assert.deepEqual(await rank('pricing', ['/b', '/about', '/pricing', '/a']), ['/pricing', '/b', '/about', '/a']);
  assert.deepEqual(await rank('nothing of the kind', ['/b', '/a']), ['/b', '/a']);
  assert.deepEqual(await rank('?!', ['/b', '/a']), ['/b', '/a']);
  assert.deepEqual(await rank('word', []), []);
});

test('links with equal scores keep their order', async () => {
  assert.deepEqual(await rank('item', ['/x', '/item/b', '/item/a', '/item/c']), [
    '/item/b',
    '/item/a',
    '/item/c',
    '/x',
  ]);
});

test('a title counts more than the path, the path more than the description, the host least', async () => {
  const links = [
    { url: '/a', description: 'all about cameras' },
    { url: '/cameras' },
    { url: '/b', title: 'Cameras' },
    { url: '/other' },
  ];
  assert.deepEqual(await rank('camera', links), ['/b', '/cameras', '/a', '/other']);
  const hosts = [{ url: 'https://camera.test/x' }, { url: 'https://site.test/camera' }, { url: 'https://site.test/y' }];
  const ranked = await rankLinks(hosts, 'camera', soon());
  assert.deepEqual(
    ranked.map(({ link }) => link.url),
    ['https://site.test/camera', 'https://camera.test/x', 'https://site.test/y'],
  );
});

test('links that match more words rank higher, and rare words count more', async () => {
  const links = ['/docs/a', '/docs/b', '/docs/c', '/install/d', '/docs/install', '/e'];
  const ranked = await rank('docs install', links);
  assert.equal(ranked[0], '/docs/install');
  assert.equal(ranked[1], '/install/d');
  assert.equal(ranked.at(-1), '/e');
});

test('stop words are ignored unless there are no other words', async () => {
  assert.deepEqual(await rank('how to install it', ['/to/it', '/install']), ['/install', '/to/it']);
  assert.deepEqual(await rank('to it', ['/install', '/to/it']), ['/to/it', '/install']);
});

test('case, word endings and percent-encoding do not matter', async () => {
  for (const [query, path] of [
    ['PRICES', '/pricing'],
    ['story', '/our-stories/'],
    ['stories', '/story'],
    ['running', '/run_fast'],
    ['boxes', '/box.html'],
    ['studied', '/study'],
    ['hope', '/hoping'],
    ['possible', '/possibilities'],
    ['relational', '/related'],
    ['größe', '/GR%C3%96%C3%9FE'],
    ['Москва', '/%D0%BC%D0%BE%D1%81%D0%BA%D0%B2%D0%B0'],
  ] as const) {
    assert.ok(await finds(query, path), `${query} finds ${path}`);
  }
});

test('a word of four or more letters matches longer words that start with it, at half the weight', async () => {
  assert.deepEqual(await rank('photo', ['/x', '/photography', '/photo']), ['/photo', '/photography', '/x']);
  assert.ok(!(await finds('pho', '/photography')), 'three letters are too few');
  assert.ok(!(await finds('graph', '/photography')), 'only prefixes count');
});

test('camel-case words match whole and by their parts', async () => {
  for (const query of ['getUserName', 'getusername', 'user', 'name', 'get']) {
    assert.ok(await finds(query, '/api/getUserName'), query);
  }
  assert.ok(await finds('github', { url: '/x', title: 'GitHub' }));
  assert.ok(await finds('hub', { url: '/x', title: 'GitHub' }));
  assert.ok(await finds('getUser', '/get-user'));
  assert.ok(await finds('http server', '/HTTPServer'));
});

test('languages without spaces match by pairs of characters', async () => {
  const links = [
    { url: '/a', title: '東京の天気' },
    { url: '/b', title: '大阪の天気予報' },
    { url: '/c', title: '料理' },
  ];
  assert.deepEqual(await rank('天気予報', links), ['/b', '/a', '/c']);
  assert.deepEqual(await rank('料', links), ['/c', '/a', '/b']);
  assert.ok(await finds('コーヒー', { url: '/x', title: 'おいしいコーヒーの店' }));
  assert.ok(await finds('날씨', { url: '/x', title: '서울의 날씨는' }));
});

test('malformed URLs and texts do not break the ranking', async () => {
  const odd = ['/%E0%A4%A', '/%', '/?q=%zz', '/\ud800', '', '/İstanbul'];
  assert.equal((await rank('istanbul', odd)).length, odd.length);
  const title = 'a'.repeat(1_000);
  assert.equal((await rank('a '.repeat(500), [{ url: '/x', title }])).length, 1);
});

test('the terms of a query are distinct and in order', () => {
  const stems = (query: string) => termsOf(query).map(({ stem }) => stem);
  assert.deepEqual(stems('Prices, pricing & price-lists'), ['price', 'list']);
  assert.deepEqual(stems('日本語 API'), ['日本', '本語', 'api']);
});

test('hostile titles do not slow the ranking down', async () => {
  const hostile = Array.from({ length: 2_000 }, () => ({ url: SITE, title: 'aB'.repeat(500) }));
  assert.equal((await rankLinks(hostile, 'b ba bab baba', soon())).length, 2_000);
});

test('an abort stops the ranking of many links', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => ({ url: `${SITE}/item/${index}` }));
  await assert.rejects(rankLinks(many, 'item', AbortSignal.abort(new Error('gone'))), { message: 'gone' });
});
