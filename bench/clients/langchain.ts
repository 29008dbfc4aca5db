// LangChain's loader for JavaScript, with the SDK version that it allows.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installNpm } from '../install.ts';
import { addresses, type Case, type Client, clientFolder, expect, type Scene } from './client.ts';

const VERSION = '1.1.29';
const PACKAGES = {
  '@langchain/community': VERSION,
  '@langchain/core': '1.1.38',
  '@mendable/firecrawl-js': '4.25.2',
};

interface Loader {
  load(): Promise<{ pageContent: string; metadata: Record<string, unknown> }[]>;
}

type LoaderClass = new (options: object) => Loader;

export const langChainJs: Client = {
  name: 'LangChain JS',
  version: VERSION,
  async open(scene) {
    const file = join(
      installNpm(clientFolder('langchain-js'), PACKAGES),
      '@langchain/community/dist/document_loaders/web/firecrawl.js',
    );
    const { FireCrawlLoader } = (await import(pathToFileURL(file).href)) as { FireCrawlLoader: LoaderClass };
    return { cases: loads(FireCrawlLoader, scene) };
  },
};

function loads(Loader: LoaderClass, { service, web }: Scene): Case[] {
  const { page, site, mapped } = addresses(web);
  const load = (mode: string, url: string, params: object) =>
    new Loader({ url, mode, apiKey: service.key, apiUrl: service.url, params }).load();
  return [
    {
      name: 'scrape',
      async run() {
        const [document] = await load('scrape', page, { formats: ['markdown'] });
        expect(/First point/.test(document?.pageContent ?? ''), 'the text of the page', document);
      },
    },
    {
      name: 'crawl',
      async run() {
        expect((await load('crawl', site, { limit: 3, pollInterval: 1 })).length === 3, 'three documents');
      },
    },
    {
      name: 'map',
      async run() {
        expect((await load('map', mapped, {})).length > 3, 'the links of the site');
      },
    },
  ];
}
