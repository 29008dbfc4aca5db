// Every PageIndex adapter orders and folds results like this.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DAY,
  feed,
  filler,
  NOW,
  type OpenIndex,
  queryOf,
  related,
  type SamplePage,
  searchOf,
  site,
  urlsOf,
} from './page-index-samples.ts';

const at = (host: string, path = '/page') => `https://${host}.example${path}`;

export function testIndexOrder(adapter: string, open: OpenIndex): void {
  describe(`PageIndex on ${adapter}: order`, () => {
    test('words in the title count more than in headings, and those more than in the text', async (t) => {
      const index = await open(t);
      const text = filler(40);
      await feed(
        index,
        { url: at('title'), title: 'seal', body: text },
        { url: at('text'), body: `seal ${text}` },
        { url: at('headings'), headings: 'seal', body: `seal ${text}` },
      );
      assert.deepEqual(await urlsOf(index, queryOf('seal')), [at('title'), at('headings'), at('text')]);
    });

    test('a page with all words comes before a page full of the rarer one', async (t) => {
      const index = await open(t);
      const others = Array.from({ length: 12 }, (_, i) => ({ url: at(`other${i}`), body: `a seal ${filler(40 + i)}` }));
      await feed(
        index,
        ...others,
        { url: at('all'), body: `One harbour, ${filler(40)} a seal.` },
        { url: at('one'), title: 'harbour', body: `harbour harbour harbour ${filler(20)}` },
      );
      assert.equal((await urlsOf(index, queryOf('harbour')))[0], at('one'));
      assert.equal((await urlsOf(index, queryOf('harbour seal')))[0], at('all'));
    });

    test('adjacent words come before words far apart', async (t) => {
      const index = await open(t);
      await feed(
        index,
        { url: at('near'), body: `${filler(50)} grey seal ${filler(50)}` },
        { url: at('apart'), body: `grey ${filler(100)} seal` },
      );
      assert.deepEqual(await urlsOf(index, queryOf('grey seal')), [at('near'), at('apart')]);
    });

    test('a page that shares little with the query is shown only if there are no better ones', async (t) => {
      const index = await open(t);
      const common = Array.from({ length: 30 }, (_, i) => ({
        url: at(`other${i}`),
        body: `the history of thing${i} ${filler(60)}`,
      }));
      await feed(index, ...common, { url: at('answer'), title: 'Narwhal tusk', body: 'history of the narwhal tusk' });
      assert.deepEqual(await urlsOf(index, queryOf('narwhal tusk history meaning')), [at('answer')]);
      assert.equal((await urlsOf(index, queryOf('history unheard unseen unknown'))).length, 10);
    });

    test('among equal matches, better, newer and more linked pages come first', async (t) => {
      const index = await open(t);
      const page = (host: string, given: Partial<SamplePage>): SamplePage => ({
        url: at(host),
        body: `${given.body} seal`,
        publishedAt: NOW - 400 * DAY,
        ...given,
        title: 'x',
      });
      await feed(index, page('poor', { body: 'otter', quality: 0.1 }), page('good', { body: 'otter', quality: 0.9 }));
      assert.deepEqual(await urlsOf(index, queryOf('otter')), [at('good'), at('poor')]);
      await feed(
        index,
        page('new', { body: 'puffin', publishedAt: NOW }),
        page('old', { body: 'puffin', publishedAt: NOW - 4_000 * DAY }),
      );
      assert.deepEqual(await urlsOf(index, queryOf('puffin')), [at('new'), at('old')]);
      const links = [{ url: at('linked'), text: '' }];
      await feed(
        index,
        page('linked', { body: 'gannet' }),
        page('lonely', { body: 'gannet' }),
        ...['p', 'q', 'r'].map((host) => ({ url: at(host), links })),
      );
      assert.deepEqual(await urlsOf(index, queryOf('gannet')), [at('linked'), at('lonely')]);
    });

    test('the front page of a host named in the query comes first', async (t) => {
      const index = await open(t);
      await feed(
        index,
        { url: at('review', '/walrusly'), title: 'Walrusly, Walrusly!', body: 'walrusly walrusly walrusly' },
        { url: 'https://walrusly.example/', title: 'Welcome', body: `Tools for teams ${filler(100)}` },
        { url: 'https://walrusly.example/pricing', title: 'Pricing', body: filler(50) },
      );
      assert.equal((await urlsOf(index, queryOf('walrusly')))[0], 'https://walrusly.example/');
    });

    test('pages of the requested country and language are preferred, and others are still listed', async (t) => {
      const index = await open(t);
      const body = 'wetter seal';
      await feed(
        index,
        { url: 'https://a.example.at/', body, language: 'de' },
        { url: 'https://b.example.ch/', body, language: 'de' },
        { url: 'https://c.example.com/', body, countries: ['CH', 'LI'], language: 'de' },
        { url: 'https://d.example.us/', body, language: 'en' },
      );
      const first = async (country: string, language: string) => {
        const found = await urlsOf(index, queryOf('seal'), { country, language });
        assert.equal(found.length, 4);
        return found;
      };
      assert.equal((await first('AT', 'de'))[0], 'https://a.example.at/');
      assert.deepEqual((await first('CH', 'de')).slice(0, 2).sort(), [
        'https://b.example.ch/',
        'https://c.example.com/',
      ]);
      assert.equal((await first('US', 'en'))[0], 'https://d.example.us/');
      assert.equal((await first('DE', 'de')).at(-1), 'https://d.example.us/');
    });

    test('sorted by date, all pages with the words are shown, newest first', async (t) => {
      const index = await open(t);
      await feed(
        index,
        { url: at('old'), title: 'Grey seal', body: 'grey seal', publishedAt: NOW - 9 * DAY },
        { url: at('new'), body: `grey ${filler(100)} seal`, publishedAt: NOW - DAY },
        { url: at('seen'), body: `seal ${filler(100)} grey`, firstSeenAt: NOW - 5 * DAY },
        { url: at('other'), body: filler(100), publishedAt: NOW },
      );
      assert.deepEqual(await urlsOf(index, queryOf('grey seal'), { sortByDate: true }), [
        at('new'),
        at('seen'),
        at('old'),
      ]);
      assert.deepEqual(await urlsOf(index, queryOf('grey seal'), { sortByDate: true, limit: 1 }), [at('new')]);
      assert.equal((await urlsOf(index, queryOf(), { sortByDate: true }))[0], at('other'));
    });

    test('a news search finds only news pages and prefers the newest', async (t) => {
      const index = await open(t);
      await feed(
        index,
        { url: at('page'), title: 'Seal', body: 'seal' },
        { url: at('old'), title: 'Seal seal', body: 'seal seal', isNews: true, publishedAt: NOW - 60 * DAY },
        { url: at('new'), body: `a seal came ashore ${filler(30)}`, isNews: true, publishedAt: NOW - DAY / 2 },
      );
      assert.deepEqual(
        (await index.news(searchOf(queryOf('seal')))).map(({ url }) => url),
        [at('new'), at('old')],
      );
      assert.equal((await urlsOf(index, queryOf('seal'))).length, 3);
    });

    test('copies of a text are folded into the best of them', async (t) => {
      const index = await open(t);
      const body = `Seals rest. ${filler(50)}`;
      await feed(
        index,
        { url: at('copy'), title: 'Seals', body, simhash: '00000000000000ff', quality: 0.2 },
        { url: at('origin'), title: 'Seals', body, simhash: '00000000000000fe', quality: 0.9 },
        { url: at('longer'), title: 'More seals', body: body.repeat(3), simhash: '00000000000000fe' },
        { url: at('distinct'), title: 'Seals', body, simhash: 'ffffffff000000fe' },
        { url: at('unprinted'), title: 'Seals', body },
      );
      const found = await urlsOf(index, queryOf('seals'));
      assert.equal(found[0], at('origin'));
      assert.deepEqual(found.sort(), [at('distinct'), at('longer'), at('origin'), at('unprinted')]);
    });

    test('after three results of a host, others of comparable score come first, and the list is still filled', async (t) => {
      const index = await open(t);
      const pages = Array.from({ length: 8 }, (_, i) => ({
        url: at('big', `/${i}`),
        title: `Seal ${i}`,
        body: 'seal seal',
      }));
      await feed(
        index,
        ...pages,
        { url: at('small'), title: 'Animals', body: 'a seal, a seal' },
        { url: at('tiny'), body: 'the seal is here' },
      );
      const hosts = async (...parts: Parameters<typeof queryOf>) =>
        (await urlsOf(index, queryOf(...parts))).map((url) => new URL(url).hostname.split('.')[0]);
      const found = await hosts('seal');
      assert.deepEqual(found.slice(0, 3), ['big', 'big', 'big']);
      assert.deepEqual(found.slice(3, 5).sort(), ['small', 'tiny']);
      assert.equal(found.length, 10);
      assert.deepEqual(
        (await urlsOf(index, queryOf('seal'), { includeDomains: ['example'] }))
          .slice(0, 8)
          .every((url) => url.includes('big')),
        true,
      );
      assert.deepEqual(await hosts('seal', site('example')).then((list) => list.slice(0, 8)), Array(8).fill('big'));
      assert.equal((await hosts('seal', site('big.example'))).length, 8);
    });

    test('anchor texts find a page that does not contain them, whichever page came first', async (t) => {
      const index = await open(t);
      const link = (host: string, text: string) => ({ url: at(host), body: 'x', links: [{ url: at('target'), text }] });
      await feed(index, link('early', 'pinniped atlas'), {
        url: at('target'),
        title: 'Atlas',
        body: 'Where they live.',
      });
      assert.equal((await urlsOf(index, queryOf('pinniped')))[0], at('target'));
      await feed(
        index,
        { url: at('late'), body: 'Here.' },
        { url: at('from'), body: 'x', links: [{ url: 'http://www.late.example/page/#top', text: 'walrus guide' }] },
      );
      assert.equal((await urlsOf(index, queryOf('walrus')))[0], at('late'));
      assert.equal((await index.stats()).pages, 4);
    });

    test('anchor texts disappear with the page that linked', async (t) => {
      const index = await open(t);
      const links = [{ url: at('target'), text: 'pinniped' }];
      await feed(index, { url: at('target'), body: 'Where they live.' }, { url: at('from'), body: 'x', links });
      assert.deepEqual(await urlsOf(index, queryOf('pinniped')), [at('target')]);
      await feed(index, at('from'));
      assert.deepEqual(await urlsOf(index, queryOf('pinniped')), []);
      await feed(index, { url: at('from'), body: 'x', links }, { url: at('from'), body: 'y' });
      assert.deepEqual(await urlsOf(index, queryOf('pinniped')), []);
    });

    test('related: shows pages of other hosts that are about the same topic or linked with it', async (t) => {
      const index = await open(t);
      const birds = 'puffin gannet guillemot razorbill kittiwake colony cliff nesting';
      const money = 'invoice payroll ledger balance audit revenue expense accrual';
      await feed(
        index,
        {
          url: at('birds', '/'),
          title: 'Sea birds',
          body: `${birds} ${filler(10)}`,
          links: [{ url: at('friend', '/'), text: 'our friends' }],
        },
        { url: at('birds', '/cliffs'), body: birds },
        { url: at('shore'), title: 'The shore', body: `${birds} walks` },
        { url: at('friend', '/'), title: 'Boat trips', body: 'tickets, times and prices' },
        { url: at('fan'), title: 'My page', body: 'I like it', links: [{ url: at('birds', '/'), text: 'look' }] },
        { url: at('books'), title: 'Book-keeping', body: money },
        { url: at('taxes'), title: 'Taxes', body: money },
        ...Array.from({ length: 10 }, (_, i) => ({ url: at(`filler${i}`), body: filler(60) })),
      );
      const found = await urlsOf(index, queryOf(related('birds.example')));
      assert.deepEqual(found.sort(), [at('fan'), at('friend', '/'), at('shore')].sort());
      assert.deepEqual(await urlsOf(index, queryOf('walks', related('birds.example'))), [at('shore')]);
      assert.ok(!(await urlsOf(index, queryOf('puffin', related('birds.example', true)))).includes(at('shore')));
      assert.deepEqual(await urlsOf(index, queryOf(related('nobody.example'))), []);
    });

    test('the same query gets the same answer', async (t) => {
      const index = await open(t);
      await feed(index, ...Array.from({ length: 60 }, (_, i) => ({ url: at(`h${i}`), title: 'Seal', body: 'seal' })));
      const once = await index.web(searchOf(queryOf('seal')));
      assert.equal(once.length, 10);
      assert.deepEqual(await index.web(searchOf(queryOf('seal'))), once);
    });
  });
}
