// The tools that read pages, sites, files and the web.
import type { Tool } from '../tool.ts';
import { map } from './page/map.ts';
import { scrape } from './page/scrape.ts';
import { search } from './page/search.ts';

export const PAGE_TOOLS: readonly Tool[] = [scrape, map, search];
