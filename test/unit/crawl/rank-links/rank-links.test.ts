// Which links fit a question.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { termsOf } from '../../../../src/crawl/rank-links/link-words.ts';
import { type RankedLink, rankLinks } from '../../../../src/crawl/rank-links/rank-links.ts';
import { soon } from '../../net/local.ts';

const SITE = 'https://site.test';

/** The paths in order. */
async function rank(question: string, links: (string | RankedLink)[]): Promise<string[]> {
  const given = links.map((link) =>
    typeof link === 'string' ? { url: SITE + link } : { ...link, url: SITE + link.url },
  );
  return (await rankLinks(given, question, soon())).map(({ url }) => url.replace(SITE, ''));
}

/** Whether the question finds the link among others that have nothing to do with it. */
async function finds(question: string, link: string | RankedLink): Promise<boolean> {
  const others = ['/one', '/two', '/three'];
  const target = typeof link === 'string' ? link : link.url;
  return (await rank(question, [...others, link]))[0] === target;
}

test('links that fit come first, all others stay in their order', async () => {
  assert.deepEqual(await rank('pricing', ['/b', '/about', '/pricing', '/a']), ['/pricing', '/b', '/about', '/a']);
  assert.deepEqual(await rank('nothing of the kind', ['/b', '/a']), ['/b', '/a']);
  assert.deepEqual(await rank('?!', ['/b', '/a']), ['/b', '/a']);
  assert.deepEqual(await rank('word', []), []);
});

test('equals stay in the order in which they were found', async () => {
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
    ranked.map(({ url }) => url),
    ['https://site.test/camera', 'https://camera.test/x', 'https://site.test/y'],
  );
});

test('more words of the question are better, and rare ones count more', async () => {
  const links = ['/docs/a', '/docs/b', '/docs/c', '/install/d', '/docs/install', '/e'];
  const ranked = await rank('docs install', links);
  assert.equal(ranked[0], '/docs/install');
  assert.equal(ranked[1], '/install/d');
  assert.equal(ranked.at(-1), '/e');
});

test('words that fit everything are left out, unless there are no others', async () => {
  assert.deepEqual(await rank('how to install it', ['/to/it', '/install']), ['/install', '/to/it']);
  assert.deepEqual(await rank('to it', ['/install', '/to/it']), ['/to/it', '/install']);
});

test('case, endings and marks do not matter', async () => {
  for (const [question, path] of [
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
    assert.ok(await finds(question, path), `${question} finds ${path}`);
  }
});

test('a word of four letters finds longer ones that begin with it, at half the weight', async () => {
  assert.deepEqual(await rank('photo', ['/x', '/photography', '/photo']), ['/photo', '/photography', '/x']);
  assert.ok(!(await finds('pho', '/photography')), 'three letters are too few');
  assert.ok(!(await finds('graph', '/photography')), 'only their beginning counts');
});

test('words that are written in one are found whole and by their parts', async () => {
  for (const question of ['getUserName', 'getusername', 'user', 'name', 'get']) {
    assert.ok(await finds(question, '/api/getUserName'), question);
  }
  assert.ok(await finds('github', { url: '/x', title: 'GitHub' }));
  assert.ok(await finds('hub', { url: '/x', title: 'GitHub' }));
  assert.ok(await finds('getUser', '/get-user'));
  assert.ok(await finds('http server', '/HTTPServer'));
});

test('languages without spaces are found by pairs of characters', async () => {
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

test('addresses and texts may be anything', async () => {
  const odd = ['/%E0%A4%A', '/%', '/?q=%zz', '/\ud800', '', '/İstanbul'];
  assert.equal((await rank('istanbul', odd)).length, odd.length);
  const title = 'a'.repeat(1_000);
  assert.equal((await rank('a '.repeat(500), [{ url: '/x', title }])).length, 1);
});

test('terms of a question come once each, in their order', () => {
  const stems = (question: string) => termsOf(question).map(({ stem }) => stem);
  assert.deepEqual(stems('Prices, pricing & price-lists'), ['price', 'list']);
  assert.deepEqual(stems('日本語 API'), ['日本', '本語', 'api']);
});

test('texts that are made to keep the ranking busy do not', async () => {
  const hostile = Array.from({ length: 2_000 }, () => ({ url: SITE, title: 'aB'.repeat(500) }));
  assert.equal((await rankLinks(hostile, 'b ba bab baba', soon())).length, 2_000);
});

test('an abort ends the ranking of many links', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => ({ url: `${SITE}/item/${index}` }));
  await assert.rejects(rankLinks(many, 'item', AbortSignal.abort(new Error('gone'))), { message: 'gone' });
});
