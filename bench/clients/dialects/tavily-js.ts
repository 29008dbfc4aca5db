// The JS SDK of Tavily, unchanged.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installNpm } from '../../install.ts';
import { addresses, type Case, type Client, clientFolder, expect, expectError, type Scene } from '../client.ts';

const VERSION = '0.7.13';

interface Result {
  url: string;
  title: string;
  content: string;
  score: number;
  rawContent?: string | null;
  publishedDate?: string;
}

interface Searched {
  results: Result[];
  images: { url: string }[];
  answer?: string;
  requestId: string;
  responseTime: number;
  usage?: { credits: number };
}

interface Read {
  results: { url: string; rawContent: string }[];
  failedResults: { url: string; error: string }[];
}

interface Sdk {
  search(query: string, options?: object): Promise<Searched>;
  searchQNA(query: string, options: object): Promise<string>;
  searchContext(query: string, options: object): Promise<string>;
  extract(urls: string[], options?: object): Promise<Read>;
  crawl(url: string, options?: object): Promise<Read & { baseUrl: string }>;
  map(url: string, options?: object): Promise<{ results: string[] }>;
  research(input: string): Promise<unknown>;
  feedback(options: object): Promise<unknown>;
}

type Connect = (apiKey?: string) => Sdk;

export const tavilyJs: Client = {
  name: 'Tavily JS SDK',
  version: VERSION,
  async open(scene) {
    const packages = installNpm(clientFolder('tavily-js'), { '@tavily/core': VERSION });
    const file = pathToFileURL(join(packages, '@tavily/core/dist/index.mjs')).href;
    const { tavily } = (await import(file)) as { tavily(options: object): Sdk };
    const apiBaseURL = `${scene.service.url}/tavily`;
    const connect: Connect = (apiKey = scene.service.key) => tavily({ apiKey, apiBaseURL });
    return { cases: [...searches(connect()), ...pages(connect(), scene), ...errors(connect)] };
  },
};

const isResult = ({ url, title, content, score }: Result): boolean =>
  url.startsWith('http') && title !== '' && content !== '' && score > 0 && score <= 1;

function searches(client: Sdk): Case[] {
  return [
    {
      name: 'search',
      async run() {
        const { results, requestId, responseTime } = await client.search('brass kettle', { maxResults: 2 });
        expect(results.length === 2 && results.every(isResult), 'two results', results);
        expect(typeof requestId === 'string' && responseTime >= 0, 'an id and a time', { requestId, responseTime });
      },
    },
    {
      name: 'search: advanced, raw content, usage',
      async run() {
        const asked = {
          searchDepth: 'advanced',
          includeRawContent: 'markdown',
          includeUsage: true,
          includeFavicon: true,
        };
        const { results, usage } = await client.search('invar pendulum', asked);
        expect(/The last paragraph/.test(results[0]?.rawContent ?? ''), 'the Markdown of a result', results);
        expect((usage?.credits ?? 0) > 0, 'its credits', usage);
      },
    },
    {
      name: 'search: answer',
      async run() {
        const { answer } = await client.search('What is in the herbal?', { includeAnswer: true });
        expect(/lovage|tansy|herbals/i.test(answer ?? ''), 'an answer from a page', answer);
      },
    },
    {
      name: 'search: images',
      async run() {
        const { images } = await client.search('striped lighthouse', {
          includeImages: true,
          includeImageDescriptions: true,
        });
        expect(images.length > 0 && images.every(({ url }) => url.startsWith('http')), 'images', images);
      },
    },
    {
      name: 'search: topic news, days',
      async run() {
        const { results } = await client.search('ferry', { topic: 'news', days: 7 });
        expect(results.length > 0 && Boolean(results[0]!.publishedDate), 'news with a date', results);
      },
    },
    {
      name: 'search: domains, country, exact match',
      async run() {
        const asked = {
          includeDomains: ['north.test'],
          excludeDomains: ['south.test'],
          country: 'germany',
          exactMatch: true,
        };
        const { results } = await client.search('brass kettle', asked);
        expect(results.length > 0 && results.every(({ url }) => url.includes('//north.test')), 'its pages', results);
      },
    },
    { name: 'search: time range', run: () => client.search('brass kettle', { timeRange: 'week' }) },
    {
      name: 'search: null for what is not set',
      run: () => client.search('brass kettle', { timeRange: null, country: null, days: null, includeDomains: null }),
    },
    { name: 'search: nothing found', run: () => expectNothing(client.search('qzxvkwj')) },
    {
      name: 'searchQNA, searchContext (older calls)',
      async run() {
        const answer = await client.searchQNA('What is in the herbal?', {});
        expect(typeof answer === 'string' && answer !== '', 'an answer', answer);
        const context = await client.searchContext('brass kettle', { maxResults: 2 });
        expect(/kettle/.test(context), 'the texts of results', context);
      },
    },
  ];
}

async function expectNothing(searched: Promise<Searched>): Promise<void> {
  const { results } = await searched;
  expect(results.length === 0, 'no results', results);
}

function pages(client: Sdk, { web }: Scene): Case[] {
  const { page, site, mapped } = addresses(web);
  return [
    {
      name: 'extract: a page, and one that cannot be read',
      async run() {
        const gone = 'http://nowhere.test/';
        const { results, failedResults } = await client.extract([page, gone], { includeImages: true });
        expect(results[0]?.url === page && /First point/.test(results[0].rawContent), 'its text', results);
        expect(failedResults[0]?.url === gone && failedResults[0].error !== '', 'the other one', failedResults);
      },
    },
    {
      name: 'extract: query',
      async run() {
        const { results } = await client.extract([page], { query: 'first point', chunksPerSource: 1 });
        expect(Boolean(results[0]?.rawContent), 'a passage', results);
      },
    },
    {
      name: 'crawl',
      async run() {
        const { results, baseUrl } = await client.crawl(site, { limit: 3, maxDepth: 2, format: 'markdown' });
        expect(results.length === 3 && results.every(({ rawContent }) => rawContent !== ''), 'three pages', results);
        expect(site.includes(new URL(baseUrl).host), 'the site', baseUrl);
      },
    },
    {
      name: 'crawl: instructions',
      async run() {
        const { results } = await client.crawl(site, { limit: 2, instructions: 'Find the first point' });
        expect(results.length > 0, 'pages', results);
      },
    },
    {
      name: 'map',
      async run() {
        const { results } = await client.map(mapped, { limit: 20 });
        expect(results.length > 3 && results.every((url) => url.startsWith('http')), 'URLs', results);
      },
    },
  ];
}

const errors = (connect: Connect): Case[] => [
  { name: 'error: wrong key', run: () => expectError(/unauthorized/i, () => connect('tvly-no').search('kettle')) },
  {
    name: 'error: wrong key, extract',
    run: () => expectError(/unauthorized/i, () => connect('no').extract(['http://a.test'])),
  },
  { name: 'error: empty query', run: () => expectError(/query/i, () => connect().search('')) },
  {
    name: 'error: too many results',
    run: () => expectError(/max_results|20/, () => connect().search('a', { maxResults: 21 })),
  },
  { name: 'error: unknown topic', run: () => expectError(/topic/, () => connect().search('a', { topic: 'weather' })) },
  { name: 'error: no pages', run: () => expectError(/urls/, () => connect().extract([])) },
  { name: 'error: bad URL', run: () => expectError(/url/i, () => connect().crawl('not a url')) },
  { name: 'error: research is not served', run: () => expectError(/v2\/agent/, () => connect().research('kettles')) },
  {
    name: 'error: feedback is not served',
    run: () => expectError(/nothing at this path/, () => connect().feedback({ requestId: 'a', agentScore: 1 })),
  },
];
