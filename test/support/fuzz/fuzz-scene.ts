// A service for random requests, with the small web, a search provider and catalogues of papers, all on loopback.
import { startCatalogues } from '../search/catalogues.ts';
import { startProviderStandIn } from '../search/provider-stand-ins.ts';
import { type RunningProgram, startServiceWith } from '../service.ts';
import { startWeb, type Web } from '../web.ts';

export interface FuzzScene {
  web: Web;
  service: RunningProgram;
  stop(): Promise<void>;
}

export async function startFuzzScene(settings: Record<string, string> = {}): Promise<FuzzScene> {
  const web = await startWeb();
  const provider = await startProviderStandIn('searxng');
  provider.give({ url: web.url('news.test', '/'), title: 'Harbour news', description: 'News of the harbour.' });
  const catalogues = await startCatalogues({
    papers: [
      {
        title: 'Attention in the harbour',
        abstract: 'Ships and attention.',
        authors: [['Ada', 'Pier']],
        date: '2017-06-12',
        arxiv: '1706.03762',
        in: ['openalex', 'arxiv', 'crossref', 'pubmed'],
      },
    ],
    repos: [{ full_name: 'harbour/ships', description: 'Ships of the harbour.' }],
  });
  const stopAll = () => Promise.all([provider.stop(), catalogues.stop(), web.stop()]);
  try {
    const all = { TRAWL_SEARXNG_URL: provider.url, ...catalogues.settings, ...settings };
    const service = await startServiceWith(web, all);
    return {
      web,
      service,
      async stop() {
        await service.stop();
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
