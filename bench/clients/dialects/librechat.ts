// The search tool of LibreChat, unchanged: it searches, reads the pages and ranks their passages, each over another wire.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installNpm } from '../../install.ts';
import { type Case, type Client, clientFolder, expect, type Scene } from '../client.ts';

const VERSION = '3.9.2';

interface Found {
  error?: string;
  topStories?: unknown[];
  images?: unknown[];
}

interface Tool {
  invoke(call: object): Promise<{ content: string; artifact: { web_search: Found } }>;
}

type CreateTool = (config: object) => Tool;

export const libreChat: Client = {
  name: 'LibreChat search tool',
  version: VERSION,
  async open(scene) {
    const packages = installNpm(clientFolder('librechat-agents'), { '@librechat/agents': VERSION });
    const file = pathToFileURL(join(packages, '@librechat/agents/dist/esm/main.mjs')).href;
    const { createSearchTool } = (await import(file)) as { createSearchTool: CreateTool };
    return { cases: calls(createSearchTool, scene) };
  },
};

interface Problems {
  log: string[];
}

/** The tool answers without what it could not get, and says so in its log alone. */
function logger({ log }: Problems): object {
  const note = (...what: unknown[]) => void log.push(what.map((each) => JSON.stringify(each) ?? '').join(' '));
  return { ...{ error: note, warn: note }, info: () => undefined, debug: () => undefined };
}

const configs = ({ url, key }: { url: string; key: string }) => ({
  searxng: { searchProvider: 'searxng', searxngInstanceUrl: `${url}/searxng`, searxngApiKey: key },
  tavily: { searchProvider: 'tavily', tavilyApiKey: key, tavilySearchUrl: `${url}/tavily/search` },
  v1: { scraperProvider: 'firecrawl', firecrawlApiKey: key, firecrawlApiUrl: url, firecrawlVersion: 'v1' },
  extract: { scraperProvider: 'tavily', tavilyApiKey: key, tavilyExtractUrl: `${url}/tavily/extract` },
  jina: { rerankerType: 'jina', jinaApiKey: key, jinaApiUrl: `${url}/v1/rerank` },
  cohere: { rerankerType: 'cohere', cohereApiKey: key, cohereApiUrl: `${url}/v2/rerank` },
});

function calls(createTool: CreateTool, { service }: Scene): Case[] {
  const { searxng, tavily, v1, extract, jina, cohere } = configs(service);
  const wrong = configs({ url: service.url, key: 'no' });

  async function search(config: object, more: object = {}): Promise<Found & Problems & { content: string }> {
    const log: string[] = [];
    const tool = createTool({ ...config, logger: logger({ log }) });
    const args = { query: 'invar pendulum', ...more };
    const { content, artifact } = await tool.invoke({ name: 'web_search', args, id: 'call', type: 'tool_call' });
    return { ...artifact.web_search, content, log };
  }

  const whole = (name: string, config: object): Case => ({
    name,
    async run() {
      const { content, error, log } = await search(config);
      expect(error === undefined && log.length === 0, 'no problem', error ?? log);
      expect(/The last paragraph/.test(content), 'the text of a page', content);
      // Passages that no reranker has seen have the relevance 0.
      expect(/Relevance: (?!0\.00)/.test(content), 'ranked passages', content);
    },
  });

  const fails = (name: string, config: object, isProblem: (found: Found & Problems) => boolean): Case => ({
    name,
    async run() {
      const found = await search(config);
      expect(isProblem(found), 'the problem', found);
    },
  });

  return [
    whole('SearXNG, pages by v1, Jina reranker', { ...searxng, ...v1, ...jina }),
    whole('SearXNG, pages by v1, Cohere reranker', { ...searxng, ...v1, ...cohere }),
    whole('Tavily, pages by Tavily, Jina reranker', { ...tavily, ...extract, ...jina }),
    {
      name: 'SearXNG: news, date',
      async run() {
        const asked = { query: 'ferry', news: true, date: 'w' };
        const { error, topStories = [], log } = await search({ ...searxng, ...v1, ...jina }, asked);
        expect(error === undefined && topStories.length > 0, 'news', error ?? log);
      },
    },
    {
      name: 'SearXNG: images',
      async run() {
        const { images = [], log } = await search(
          { ...searxng, ...v1, ...jina },
          { query: 'striped lighthouse', images: true },
        );
        expect(images.length > 0, 'images', log);
      },
    },
    {
      name: 'Tavily: news',
      async run() {
        const { topStories = [], log } = await search(
          { ...tavily, ...extract, ...jina },
          { query: 'ferry', news: true },
        );
        expect(topStories.length > 0, 'news', log);
      },
    },
    {
      name: 'Tavily: images, country',
      async run() {
        const asked = { query: 'striped lighthouse', images: true, country: 'de' };
        const { images = [], log } = await search({ ...tavily, ...extract, ...jina }, asked);
        expect(images.length > 0, 'images', log);
      },
    },
    fails('error: wrong key, SearXNG', { ...v1, ...jina, ...wrong.searxng }, ({ error }) =>
      /401|auth/i.test(error ?? ''),
    ),
    fails('error: wrong key, Tavily', { ...extract, ...jina, ...wrong.tavily }, ({ error }) =>
      /401|auth/i.test(error ?? ''),
    ),
    fails('error: wrong key, reranker', { ...searxng, ...v1, ...wrong.jina }, ({ log }) => /401/.test(log.join())),
  ];
}
