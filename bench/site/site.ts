// Starts the site process and returns its URLs.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface BenchSite {
  /** Settings that let a service reach the site. */
  settings: Record<string, string>;
  url(host: string, path: string): string;
  stop(): Promise<void>;
}

/** Number of hosts of the kind `hosts`: c0.test and so on. */
export const HOSTS = 8;

export type SiteKind = 'articles' | 'crawl' | 'hosts' | 'teams' | 'map' | 'slow' | 'hostile';

/** `size` is the number of pages; for a map, of URLs in the sitemaps; for a slow site, of milliseconds a page takes. */
export async function startSite(kind: SiteKind, size: number): Promise<BenchSite> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'site-process.ts'), [kind, String(size)]);
  const [{ port, settings }] = (await once(child, 'message')) as [{ port: number; settings: Record<string, string> }];
  return {
    settings,
    url: (host, path) => `http://${host}:${port}${path}`,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
