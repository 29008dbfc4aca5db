// Every PageIndex adapter passes these tests on who finds which page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PageIndex } from '../../src/index/page-index.ts';
import { createPageSharing, EVERYONE, type PageOwner, SHARED, type Viewer } from '../../src/page/page-owner.ts';
import { feed, type OpenIndex, queryOf, related, searchOf, site, urlsOf } from './page-index-samples.ts';

const sharing = createPageSharing({ isolatesTeams: false });
const isolation = createPageSharing({ isolatesTeams: true });
const [A, B] = ['a', 'b'].map((team) => sharing.ownerOf({ urls: [], hasSecretUrls: true, isManual: false }, team)) as [
  PageOwner,
  PageOwner,
];
const URL = 'https://seals.example/page';

const image = (url: string) => ({ url, alt: 'harbour seal', caption: '' });

/** What a team that shares, and what an isolated one gets. */
const views = (team: string) => [sharing.viewerOf(team), isolation.viewerOf(team)];

export function testIndexOwners(adapter: string, open: OpenIndex): void {
  describe(`PageIndex on ${adapter}: owners`, () => {
    const fill = (index: PageIndex) =>
      feed(
        index,
        { url: 'https://manual.example/', owner: EVERYONE, title: 'Manual', body: 'seals in the manual' },
        { url: 'https://open.example/', owner: SHARED, title: 'Open', body: 'seals in the open' },
        {
          ...{ url: 'https://mine.example/', owner: A, title: 'Mine', body: 'seals of mine' },
          ...{ isNews: true, images: [image('https://mine.example/seal.jpg')] },
        },
      );

    test('each search finds only what the viewer may see, whatever it asks for', async (t) => {
      const index = await open(t);
      await fill(index);
      const hosts = async (viewer: Viewer, ...parts: Parameters<typeof queryOf>) =>
        (await urlsOf(index, queryOf(...parts), { viewer })).map((url) => url.split(/[/.]/)[2]).sort();
      const [openToA, closedToA] = views('a');
      const [openToB, closedToB] = views('b');
      for (const parts of [['seals'], [], ['seals -absent']]) {
        assert.deepEqual(await hosts(openToA!, ...parts), ['manual', 'mine', 'open']);
        assert.deepEqual(await hosts(openToB!, ...parts), ['manual', 'open']);
        assert.deepEqual(await hosts(closedToA!, ...parts), ['manual', 'mine']);
        assert.deepEqual(await hosts(closedToB!, ...parts), ['manual']);
      }
      assert.deepEqual(await hosts(openToB!, site('mine.example')), []);
      for (const viewer of views('b')) {
        assert.deepEqual(
          await urlsOf(index, queryOf('seals'), { viewer, sortByDate: true, includeDomains: ['mine.example'] }),
          [],
        );
        assert.deepEqual(await index.news(searchOf(queryOf('seals'), { viewer })), []);
        assert.deepEqual(await index.images(searchOf(queryOf('seal'), { viewer })), []);
        const passages = { viewer, verifiedOnly: false, query: queryOf('seals'), urls: ['https://mine.example/'] };
        assert.deepEqual(await index.passages(passages), [null]);
      }
      for (const viewer of views('a')) {
        assert.equal((await index.news(searchOf(queryOf('seals'), { viewer }))).length, 1);
        assert.equal((await index.images(searchOf(queryOf('seal'), { viewer }))).length, 1);
        const passages = { viewer, verifiedOnly: false, query: queryOf('seals'), urls: ['https://mine.example/'] };
        assert.deepEqual(await index.passages(passages), ['seals of mine']);
      }
    });

    test('the same URL is one page for each owner, and shown once', async (t) => {
      const index = await open(t);
      await feed(index, { url: URL, owner: SHARED, title: 'Old', body: 'seals rest on sandbanks' });
      await feed(index, { url: URL, owner: A, title: 'New', body: 'seals hunt at night' });
      await feed(index, { url: URL, owner: B, title: 'Other', body: 'seals of another team' });
      assert.equal((await index.stats()).pages, 3);
      const titles = async (team: string) =>
        (await index.web(searchOf(queryOf('seals'), { viewer: isolation.viewerOf(team) }))).map(({ title }) => title);
      assert.deepEqual([await titles('a'), await titles('b'), await titles('c')], [['New'], ['Other'], []]);
      assert.deepEqual(await urlsOf(index, queryOf('seals'), { viewer: sharing.viewerOf('a') }), [URL]);
    });

    test('searches that ask for valid certificates get no page without one, and others see the mark', async (t) => {
      const index = await open(t);
      const bad = { url: URL, isVerified: false, title: 'Bad', body: 'seals', images: [image(`${URL}.jpg`)] };
      await feed(index, { url: 'https://good.example/', title: 'Good', body: 'other seals of note' }, bad);
      for (const parts of [['seals'], []]) {
        assert.deepEqual(await urlsOf(index, queryOf(...parts), { verifiedOnly: true }), ['https://good.example/']);
        const hits = await index.web(searchOf(queryOf(...parts)));
        assert.deepEqual(hits.map(({ title, isVerified }) => [title, isVerified]).sort(), [
          ['Bad', false],
          ['Good', true],
        ]);
      }
      assert.deepEqual(await index.images(searchOf(queryOf('seal'), { verifiedOnly: true })), []);
      assert.equal((await index.images(searchOf(queryOf('seal'))))[0]?.isVerified, false);
      const passages = { viewer: sharing.viewerOf('a'), query: queryOf('seals'), urls: [URL] };
      assert.deepEqual(await index.passages({ ...passages, verifiedOnly: true }), [null]);
      assert.deepEqual(await index.passages({ ...passages, verifiedOnly: false }), ['seals']);
      assert.deepEqual(await urlsOf(index, queryOf(related('good.example')), { verifiedOnly: true }), []);
    });

    test('links of a page count only for pages of its owner', async (t) => {
      const index = await open(t);
      const links = [{ url: URL, text: 'project falcon' }];
      await feed(index, { url: URL, owner: SHARED, title: 'Seals', body: 'seals' });
      await feed(index, { url: 'https://mine.example/', owner: A, body: 'links', links });
      await feed(index, { url: URL, owner: A, title: 'Seals', body: 'seals' });
      const found = (team: string) => urlsOf(index, queryOf('falcon'), { viewer: sharing.viewerOf(team) });
      assert.deepEqual(await found('b'), []);
      assert.deepEqual(await found('a'), [URL]);
    });

    test('pages that the viewer may not see change no score and no order', async (t) => {
      const index = await open(t);
      const bodies = [
        'seals rest on sandbanks',
        'otters rest in kelp',
        'seals and otters meet',
        'puffins nest in burrows',
      ];
      await feed(index, ...bodies.map((body, n) => ({ url: `https://p${n}.example/`, title: `P${n}`, body })));
      const scores = async (team: string) => {
        const queries = [queryOf('seals'), queryOf('seals otters rest'), queryOf(related('p0.example'))];
        const found = await Promise.all(
          queries.map((query) => index.web(searchOf(query, { viewer: sharing.viewerOf(team) }))),
        );
        return found.map((hits) => hits.map(({ url, score }) => [url, score.toFixed(9)]));
      };
      const before = await scores('b');
      const hidden = Array.from({ length: 40 }, (_, n) => ({
        ...{ url: `https://h${n}.example/`, owner: A, title: `H${n}`, body: `seals ${'rest '.repeat(n)} and kelp` },
      }));
      await feed(index, ...hidden);
      assert.deepEqual(await scores('b'), before);
      assert.notDeepEqual(await scores('a'), before, 'they do for their own team');
    });

    test('what is related to a site is found in visible pages, by visible pages', async (t) => {
      const index = await open(t);
      const about = 'harbour seals sandbanks whiskers flippers';
      const filler = Array.from({ length: 12 }, (_, n) => ({
        url: `https://f${n}.example/`,
        body: `other words ${n}`,
      }));
      await feed(index, ...filler);
      await feed(index, { url: 'https://model.example/', owner: A, title: 'Model', body: about });
      await feed(index, { url: 'https://like.example/', owner: SHARED, title: 'Like', body: about });
      await feed(index, { url: 'https://hidden.example/', owner: A, title: 'Hidden', body: about });
      const found = (team: string, host: string) =>
        urlsOf(index, queryOf(related(host)), { viewer: sharing.viewerOf(team) });
      assert.deepEqual((await found('a', 'model.example')).sort(), [
        'https://hidden.example/',
        'https://like.example/',
      ]);
      assert.deepEqual(await found('b', 'model.example'), [], "a's page is no model for b");
      assert.deepEqual(await found('b', 'like.example'), []);
    });
  });
}
