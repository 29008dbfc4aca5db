// What one team fetched, asked for by another team through every way that answers from stored pages. A new way needs a
// line in the table of entrances.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BATCH, CRAWL, read, runJob, startJob, until } from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { asTeam } from '../support/teams.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const HOST = 'docs.shelf.test';

/** No page links to these, so only what the service has stored can lead to them. */
const PAGES = {
  ordinary: '/notes/ordinary',
  'with a token': '/notes/token?access_token=s3cr3t',
  'that redirects to a token': '/notes/moved',
  'with a session in its links': '/notes/links',
  'with a signed image': '/notes/signed',
};
type PageName = keyof typeof PAGES;
const NAMES = Object.keys(PAGES) as PageName[];

const words: Record<PageName, string> = {
  ordinary: 'zanzibar',
  'with a token': 'tangerine',
  'that redirects to a token': 'marzipan',
  'with a session in its links': 'lavender',
  'with a signed image': 'saffron',
};

const textOf = (name: PageName): string =>
  `The ${words[name]} note tells at length what is known about ${words[name]}, and who has written it down.`;

const note = (name: PageName, more = ''): Site[string] => {
  const word = words[name];
  const text = `<p>${textOf(name)}</p>`;
  const html = page(
    `Note on ${word}`,
    `${text}<img src="/${word}.png" alt="${word} picture" width=400 height=300>${more}`,
  );
  return (exchange) => send(exchange, html);
};

const SITE: Site = {
  '/': (exchange) => send(exchange, page('Shelf', '<p>Nothing is listed here.</p>')),
  '/notes/ordinary': note('ordinary'),
  '/notes/token': note('with a token'),
  '/notes/moved': (exchange) =>
    send(exchange, '', { status: 302, headers: { location: '/notes/landed?signature=abc' } }),
  '/notes/landed': note('that redirects to a token'),
  '/notes/links': note('with a session in its links', '<a href="/next?PHPSESSID=abc123">Next</a>'),
  '/notes/signed': note('with a signed image', '<img src="/photo.png?X-Amz-Signature=abc">'),
};

let web: Web;
before(async () => {
  web = await startWeb({ [HOST]: SITE });
});
after(() => web.stop());

const urlOf = (name: PageName) => web.url(HOST, PAGES[name]);

interface Entrance {
  name: string;
  /** Whether the team gets to see the page, its address or anything that was made from it. */
  sees(team: RunningService, name: PageName): Promise<boolean>;
}

interface Listed {
  success: boolean;
  data: Partial<Record<'web' | 'images' | 'news', { url: string; description?: string; markdown?: string }[]>>;
}

const search = async (team: RunningService, body: object): Promise<string> => {
  const { status, body: found } = await team.post<Listed>('/v2/search', body);
  assert.equal(status, 200, JSON.stringify(found));
  return JSON.stringify(found.data);
};
const mentions = (text: string, name: PageName) => text.includes(words[name]) || text.includes(PAGES[name]);

interface InIndex {
  hits: { url: string }[];
  total: number;
  facets: { hosts: { value: string; pages: number }[] };
  query: { words: { pages: number; completions?: string[] }[] };
}

const findInIndex = async (team: RunningService, request: object): Promise<InIndex> =>
  (await team.post<{ data: InIndex }>('/v2/index/search', { includeDomains: [HOST], ...request })).body.data;
const countsOf = ({ total, facets, query }: InIndex) => ({
  total,
  hosts: facets.hosts,
  pages: query.words.reduce((sum, { pages }) => sum + pages, 0),
});

/** What an agent without a model says in the end. */
async function answerTo(team: RunningService, prompt: string): Promise<string> {
  const id = await startJob(team, '/v2/agent', { prompt });
  const ended = await until(
    async () => (await read(team, `/v2/agent/${id}`)).body,
    ({ status }) => status !== 'processing',
  );
  return JSON.stringify(ended);
}

const lockedJob = (path: string, request: (url: string) => object) => async (team: RunningService, name: PageName) => {
  const { status, documents, problems } = await runJob(team, path, request(urlOf(name)));
  assert.equal(documents.length + problems.errors.length, 1, JSON.stringify(status));
  return documents.length === 1;
};

const ENTRANCES: Entrance[] = [
  {
    name: 'lockdown',
    async sees(team, name) {
      const { status, body } = await team.scrape({ url: urlOf(name), lockdown: true });
      if (status !== 200) assert.doesNotMatch(JSON.stringify(body), /copy exists/, 'not even a hint');
      return status === 200;
    },
  },
  {
    name: 'a scrape of the cache alone, with other options',
    async sees(team, name) {
      const { status, body } = await team.scrape({ url: urlOf(name), minAge: 0, mobile: true });
      assert.notEqual(status, 200);
      return JSON.stringify(body).includes('copy exists');
    },
  },
  { name: 'a search', sees: async (team, name) => mentions(await search(team, { query: words[name] }), name) },
  {
    name: 'a search for all pages of the site',
    sees: async (team, name) => mentions(await search(team, { query: `site:${HOST}`, limit: 100 }), name),
  },
  {
    name: 'a search that scrapes in lockdown',
    async sees(team, name) {
      const scrapeOptions = { formats: ['markdown'], lockdown: true };
      return mentions(await search(team, { query: words[name], scrapeOptions }), name);
    },
  },
  {
    name: 'a search for images',
    sees: async (team, name) =>
      mentions(await search(team, { query: `${words[name]} picture`, sources: ['images'] }), name),
  },
  {
    name: 'a search for documentation',
    async sees(team, name) {
      const request = { query: words[name], types: ['doc'], sources: [HOST], passages: 2 };
      const { body } = await team.post('/v2/search/developer', request);
      const { query: _, ...answer } = body;
      return mentions(JSON.stringify(answer), name);
    },
  },
  {
    name: 'a map',
    async sees(team, name) {
      const { status, body } = await team.post('/v2/map', {
        url: web.url(HOST),
        limit: 100,
        ignoreQueryParameters: false,
      });
      assert.equal(status, 200, JSON.stringify(body));
      return mentions(JSON.stringify(body), name);
    },
  },
  {
    name: 'a search of the index',
    async sees(team, name) {
      const found = await findInIndex(team, { query: words[name], explain: true });
      if (found.hits.length === 0) assert.deepEqual(countsOf(found), { total: 0, hosts: [], pages: 0 });
      return found.hits.length > 0;
    },
  },
  {
    name: 'the completion of a word',
    async sees(team, name) {
      const { hits, query } = await findInIndex(team, { query: words[name].slice(0, 5), typing: true });
      return hits.length > 0 || mentions(JSON.stringify(query), name);
    },
  },
  {
    name: 'the list of stored pages',
    async sees(team, name) {
      const { body } = await read(team, `/v2/index/pages?limit=100&contains=${encodeURIComponent('/notes/')}`);
      return mentions(JSON.stringify(body), name);
    },
  },
  {
    name: 'what is stored of the page',
    async sees(team, name) {
      const { status, body } = await read(team, `/v2/index/page?url=${encodeURIComponent(urlOf(name))}`);
      assert.equal(status === 200, mentions(JSON.stringify(body), name));
      return status === 200;
    },
  },
  {
    name: 'an agent that begins with a search',
    sees: async (team, name) => (await answerTo(team, `What is ${words[name]}?`)).includes(textOf(name)),
  },
  {
    name: 'a crawl in lockdown',
    sees: lockedJob(CRAWL, (url) => ({ url, limit: 1, scrapeOptions: { lockdown: true } })),
  },
  { name: 'a batch in lockdown', sees: lockedJob(BATCH, (url) => ({ urls: [url], lockdown: true })) },
  {
    name: 'the activity of the team',
    async sees(team, name) {
      const { body } = await read(team, '/v2/team/activity?limit=100');
      // A team's own requests are listed, also those of the entrances above.
      return JSON.stringify(body).includes(`"${ids.get(urlOf(name))}"`);
    },
  },
  {
    name: 'the scrape by its ID',
    sees: async (team, name) => (await read(team, `/v2/scrape/${ids.get(urlOf(name))}`)).status === 200,
  },
  // The last one, because the other team fetches the page itself if it does not find it.
  {
    name: 'a scrape',
    async sees(team, name) {
      const { body } = await team.scrape<{ data: { metadata: { cacheState?: string } } }>({ url: urlOf(name) });
      return body.data.metadata.cacheState === 'hit';
    },
  },
];

/** What belongs to a team alone, whatever teams share. */
const OWN = ['the activity of the team', 'the scrape by its ID'];

/** The ID of the first team's scrape, by URL. */
const ids = new Map<string, string>();

const MODES = [
  { isolation: 'off', shares: (name: PageName) => name === 'ordinary' },
  { isolation: 'on', shares: () => false },
];

for (const { isolation, shares } of MODES) {
  describe(`with TRAWL_TEAM_ISOLATION=${isolation}`, () => {
    let first: RunningService;
    let second: RunningService;
    before(async () => {
      first = await startServiceHereWith(web, { TRAWL_TEAM_ISOLATION: isolation, TRAWL_INDEX_MANUAL: 'on' });
      second = await asTeam(first, 'second');
      for (const name of NAMES) {
        const { body } = await first.scrape<{ data: { metadata: { scrapeId: string } } }>({ url: urlOf(name) });
        ids.set(urlOf(name), body.data.metadata.scrapeId);
      }
      const isIndexed = async (name: PageName) => mentions(await search(first, { query: words[name] }), name);
      await until(
        () => Promise.all(NAMES.map(isIndexed)),
        (found) => found.every(Boolean),
      );
    });
    after(() => first?.stop());

    for (const { name: way, sees } of ENTRANCES) {
      test(`${way} shows another team only what is shared, and the team itself everything`, async () => {
        for (const name of NAMES) {
          const isShared = shares(name) && !OWN.includes(way);
          assert.equal(await sees(second, name), isShared, `the page ${name}, to the other team`);
          assert.equal(await sees(first, name), true, `the page ${name}, to the team itself`);
        }
      });
    }

    test('the manual is there for every team', async () => {
      for (const team of [first, second]) {
        const found = await until(
          () => search(team, { query: 'TRAWL_DATA_DIR settings site:127.0.0.1' }),
          (text) => text.includes('/docs/'),
        );
        assert.match(found, /\/docs\//);
      }
    });
  });
}
