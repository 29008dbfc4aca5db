// The JS SDK of Exa, unchanged.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installNpm } from '../../install.ts';
import { addresses, type Case, type Client, clientFolder, expect, expectError, type Scene } from '../client.ts';

const VERSION = '2.23.0';

interface Result {
  id: string;
  url: string;
  title: string | null;
  text?: string;
  highlights?: string[];
  summary?: string;
  publishedDate?: string | null;
  extras?: { links: string[] };
}

interface Answer {
  requestId: string;
  results: Result[];
  statuses?: { id: string; status: string }[];
}

interface Sdk {
  search(query: string, options?: object): Promise<Answer>;
  searchAndContents(query: string, options?: object): Promise<Answer>;
  findSimilar(url: string, options?: object): Promise<Answer>;
  getContents(urls: string | string[], options?: object): Promise<Answer>;
  answer(query: string, options?: object): Promise<{ answer: string; citations: Result[] }>;
  streamSearch(query: string): AsyncIterable<unknown>;
  streamAnswer(query: string): AsyncIterable<unknown>;
  research: { list(): Promise<unknown> };
}

type Connect = (key?: string) => Sdk;

export const exaJs: Client = {
  name: 'Exa JS SDK',
  version: VERSION,
  async open(scene) {
    const packages = installNpm(clientFolder('exa-js'), { 'exa-js': VERSION });
    const file = pathToFileURL(join(packages, 'exa-js/dist/index.mjs')).href;
    const { default: Exa } = (await import(file)) as { default: new (key: string, baseUrl: string) => Sdk };
    const connect: Connect = (key = scene.service.key) => new Exa(key, `${scene.service.url}/exa`);
    return { cases: [...searches(connect(), scene), ...pages(connect(), scene), ...errors(connect)] };
  },
};

const isResult = ({ id, url, title }: Result): boolean => id === url && url.startsWith('http') && title !== '';

function searches(client: Sdk, { web }: Scene): Case[] {
  return [
    {
      name: 'search (asks for the text)',
      async run() {
        const { results, requestId } = await client.search('invar pendulum', { numResults: 1 });
        expect(results.length === 1 && results.every(isResult) && Boolean(requestId), 'a result', results);
        const plain = await client.search('invar pendulum');
        expect(/The last paragraph/.test(plain.results[0]?.text ?? ''), 'its text', plain.results);
      },
    },
    {
      name: 'search: no contents',
      async run() {
        const { results } = await client.search('brass kettle', { contents: false, numResults: 2 });
        expect(results.length === 2 && results.every(({ text }) => text === undefined), 'two without text', results);
      },
    },
    {
      name: 'search: text, highlights, extras',
      async run() {
        const contents = { text: { maxCharacters: 20 }, highlights: { query: 'kettle' }, extras: { links: 2 } };
        const { results } = await client.search('brass kettle', { contents, numResults: 1 });
        const [{ text = '', highlights = [], extras } = {} as Result] = results;
        expect(text.length > 0 && text.length <= 20 && highlights.length > 0, 'a short text and passages', results);
        expect(Array.isArray(extras?.links), 'links', extras);
      },
    },
    {
      name: 'search: summary with a question',
      async run() {
        const contents = { summary: { query: 'What is in the herbal?' } };
        const { results } = await client.search('herbal lovage', { contents, numResults: 1 });
        expect(typeof results[0]?.summary === 'string', 'a summary', results);
      },
    },
    {
      name: 'search: domains, texts, dates',
      async run() {
        const { results } = await client.search('brass kettle', {
          ...{ includeDomains: ['north.test'], includeText: ['brass kettle'], type: 'keyword', contents: false },
          startPublishedDate: '2001-01-01T00:00:00.000Z',
        });
        expect(
          results.every(({ url }) => url.includes('//north.test')),
          'its pages only',
          results,
        );
      },
    },
    {
      name: 'search: null for what is not set',
      run: () =>
        client.search('brass kettle', { category: null, includeDomains: null, numResults: null, contents: null }),
    },
    {
      name: 'search: category news',
      async run() {
        const { results } = await client.search('ferry', { category: 'news', contents: false });
        expect(results.length > 0 && Boolean(results[0]!.publishedDate), 'news with a date', results);
      },
    },
    {
      name: 'searchAndContents (older call)',
      async run() {
        const { results } = await client.searchAndContents('brass kettle', { text: true, numResults: 1 });
        expect(/kettle/.test(results[0]?.text ?? ''), 'a text', results);
      },
    },
    {
      name: 'findSimilar',
      async run() {
        const url = web.url('orchard.test');
        const { results } = await client.findSimilar(url, { excludeSourceDomain: true, contents: false });
        expect(results.length > 0 && results.every((each) => !each.url.includes('//orchard.test')), 'others', results);
      },
    },
  ];
}

function pages(client: Sdk, { web }: Scene): Case[] {
  const { page } = addresses(web);
  return [
    {
      name: 'getContents',
      async run() {
        const { results, statuses } = await client.getContents(page, { text: true, maxAgeHours: 0 });
        expect(/First point/.test(results[0]?.text ?? ''), 'its text', results);
        expect(statuses?.[0]?.status === 'success', 'its status', statuses);
      },
    },
    {
      name: 'getContents: one that cannot be read',
      async run() {
        const { results, statuses } = await client.getContents([page, 'http://nowhere.test/']);
        const states = statuses?.map(({ status }) => status).join();
        expect(results.length === 1 && states === 'success,error', 'a page and an error', statuses);
      },
    },
    {
      name: 'answer',
      async run() {
        const { answer, citations } = await client.answer('What is in the herbal?', { text: true });
        expect(/lovage|tansy|herbals/i.test(answer) && citations.every(isResult), 'an answer', { answer, citations });
      },
    },
  ];
}

async function readAll(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const errors = (connect: Connect): Case[] => [
  { name: 'error: wrong key', run: () => expectError(/unauthorized/i, () => connect('no').search('kettle')) },
  {
    name: 'error: wrong key, contents',
    run: () => expectError(/unauthorized/i, () => connect('no').getContents('http://a.test')),
  },
  { name: 'error: empty query', run: () => expectError(/query/i, () => connect().search('')) },
  {
    name: 'error: too many results',
    run: () => expectError(/numResults/, () => connect().search('a', { numResults: 101 })),
  },
  {
    name: 'error: bad date',
    run: () => expectError(/date/i, () => connect().search('a', { startPublishedDate: 'soon' })),
  },
  { name: 'error: bad URL to be like', run: () => expectError(/url/i, () => connect().findSimilar('not a url')) },
  { name: 'error: search as a stream', run: () => expectError(/stream/i, () => readAll(connect().streamSearch('a'))) },
  { name: 'error: answer as a stream', run: () => expectError(/stream/i, () => readAll(connect().streamAnswer('a'))) },
  {
    name: 'error: research is not served',
    run: () => expectError(/nothing at this path/, () => connect().research.list()),
  },
];
