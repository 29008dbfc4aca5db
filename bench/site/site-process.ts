// Serves the site to scrape. It is a process of its own, so that its CPU time is not counted.
// Arguments: the kind and the size of the site.
import { articleSite } from '../../test/support/web/generated.ts';
import type { Site } from '../../test/support/web/reply.ts';
import { startWeb } from '../../test/support/web.ts';
import { hostileSites } from './hostile-site.ts';
import { linkedSite } from './linked-site.ts';
import { HOSTS, type SiteKind } from './site.ts';
import { mappedSite } from './sitemap-site.ts';
import { slowSite } from './slow-site.ts';

const SITES: Record<SiteKind, (size: number) => Record<string, Site>> = {
  articles: (size) => ({ ...onBothHosts('load.test', articleSite(size)), 'cached.test': articleSite(16, 100_000) }),
  crawl: (size) => onBothHosts('crawl.test', linkedSite(size)),
  hosts: (size) =>
    onHosts(
      Array.from({ length: HOSTS }, (_, number) => `c${number}.test`),
      linkedSite(size),
    ),
  teams: (size) => onHosts(['quiet.test', 'noisy.test'], linkedSite(size)),
  map: (size) => onBothHosts('map.test', mappedSite(size)),
  hostile: hostileSites,
  slow: (ms) => ({ 'slow.test': slowSite(ms), 'quick.test': slowSite(ms) }),
};

const onHosts = (hosts: readonly string[], site: Site): Record<string, Site> =>
  Object.fromEntries(hosts.map((host) => [host, site]));

/** Peers use the system's DNS servers, which cannot resolve names in .test, so they use the IP address. */
const onBothHosts = (host: string, site: Site) => onHosts([host, '127.0.0.1'], site);

const [kind, size] = process.argv.slice(2);
const web = await startWeb(SITES[kind as SiteKind](Number(size)));
process.send?.({ port: web.port, settings: web.settings });
process.on('disconnect', () => void web.stop());
