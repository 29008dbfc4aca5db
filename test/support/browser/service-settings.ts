// The settings of services with a browser. All files that can do with them share one service in their process.
import { type ModelServer, startModelServer } from '../models/model-server.ts';
import { startProxy, type TestProxy } from '../proxy.ts';
import { atWorkerEnd } from '../worker-end.ts';

/** For `useService`: a browser for pages and sessions, code in them, and what else does no harm. */
export const WITH_BROWSER: Readonly<Record<string, string>> = {
  TRAWL_BROWSER: 'auto',
  TRAWL_BROWSER_EXECUTE: 'on',
  TRAWL_TEAM_FEATURES: 'zdr',
  // A file finds nothing of what others have read.
  TRAWL_TEAM_ISOLATION: 'on',
};

interface Helpers {
  /** Reaches every host of every small web. Its record holds the requests of all files. */
  proxy: TestProxy;
  model: ModelServer;
  /** For `joinService`. Only 127.0.0.1 can be reached. */
  settings: Record<string, string>;
}

let helpers: Promise<Helpers> | undefined;

/** A model and an enhanced proxy that files share in their process, and settings of a service with both and a browser. */
export function withModelAndProxy(): Promise<Helpers> {
  if (!helpers) {
    helpers = start();
    atWorkerEnd(async () => {
      const { proxy, model } = await helpers!;
      await Promise.all([proxy.stop(), model.close()]);
    });
  }
  return helpers;
}

async function start(): Promise<Helpers> {
  const target = (authority: string) => ({ host: '127.0.0.1', port: Number(authority.split(':').at(-1)) });
  const [proxy, model] = await Promise.all([startProxy({ target }), startModelServer()]);
  const own = { TRAWL_PROXY_ENHANCED: proxy.url, TRAWL_ALLOW_NETWORKS: '127.0.0.1' };
  return { proxy, model, settings: { ...WITH_BROWSER, ...own, ...model.settings() } };
}
