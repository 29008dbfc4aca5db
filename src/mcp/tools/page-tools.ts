// The tools that read pages, sites, files and the web.
import type { Tool } from '../tool.ts';
import { agent } from './page/agent.ts';
import { agentStatus } from './page/agent-status.ts';
import { checkCrawlStatus } from './page/check-crawl-status.ts';
import { crawl } from './page/crawl.ts';
import { extract } from './page/extract.ts';
import { map } from './page/map.ts';
import { parse } from './page/parse.ts';
import { scrape } from './page/scrape.ts';
import { search } from './page/search.ts';

export const PAGE_TOOLS: readonly Tool[] = [
  ...[scrape, map, search, crawl, checkCrawlStatus],
  ...[extract, agent, agentStatus, parse],
];
