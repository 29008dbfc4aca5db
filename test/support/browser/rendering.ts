// Scrapes by a service that has a browser and an enhanced proxy.
import { after, before } from 'node:test';
import { startProxy, type TestProxy } from '../proxy.ts';
import { type RunningService, startServiceWith } from '../service.ts';
import { startWeb, type Web } from '../web.ts';

interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  warning?: string;
  data: { markdown: string; rawHtml: string; metadata: Record<string, unknown> };
}

interface Rendering {
  web: Web;
  proxy: TestProxy;
  service: RunningService;
  scrape(host: string, path: string, options?: object): Promise<Scraped & { status: number }>;
}

export function useRendering(): Rendering {
  const scene = {
    async scrape(host, path, options = {}) {
      const { status, body } = await scene.service.scrape<Scraped>({ url: scene.web.url(host, path), ...options });
      return { status, ...body };
    },
  } as Rendering;
  before(async () => {
    scene.web = await startWeb();
    scene.proxy = await startProxy({ target: () => ({ host: '127.0.0.1', port: scene.web.port }) });
    const settings = { TRAWL_BROWSER: 'auto', TRAWL_PROXY_ENHANCED: scene.proxy.url };
    scene.service = await startServiceWith(scene.web, settings);
  });
  after(async () => {
    await scene.service?.stop();
    await scene.proxy?.stop();
    await scene.web?.stop();
  });
  return scene;
}
