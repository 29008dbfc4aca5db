// The settings of services with a browser. All files that can do with them share one service in their process.
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

let proxy: Promise<TestProxy> | undefined;

/** A proxy of this process that reaches every host of every small web. Its record holds the requests of all files. */
export function sharedProxy(): Promise<TestProxy> {
  if (!proxy) {
    proxy = startProxy({ target: (authority) => ({ host: '127.0.0.1', port: Number(authority.split(':').at(-1)) }) });
    atWorkerEnd(async () => (await proxy)?.stop());
  }
  return proxy;
}
