// All hosts of the small web.
import { browserPages } from './browser-pages.ts';
import { charsets } from './charsets.ts';
import { crawlBusy } from './crawl-busy.ts';
import { crawlDocs } from './crawl-docs.ts';
import { crawlReach } from './crawl-reach.ts';
import { crawlTraps } from './crawl-traps.ts';
import { encodings } from './encodings.ts';
import { faults } from './faults.ts';
import { files } from './files.ts';
import { generated } from './generated.ts';
import { webhookReceivers } from './hooks.ts';
import { market } from './market.ts';
import { pages } from './pages.ts';
import { redirects } from './redirects.ts';
import type { Site } from './reply.ts';
import { robots } from './robots.ts';
import { sitemaps } from './sitemaps.ts';
import { standIns } from './stand-ins.ts';

export const sites: Record<string, Site> = {
  ...pages,
  ...market,
  ...encodings,
  ...charsets,
  ...redirects,
  ...faults,
  ...files,
  ...standIns,
  ...generated,
  ...robots,
  ...sitemaps,
  ...webhookReceivers,
  ...crawlDocs,
  ...crawlTraps,
  ...crawlReach,
  ...crawlBusy,
  ...browserPages,
};
