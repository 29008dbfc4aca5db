// What the command line and the MCP server say about themselves, loaded for the operation that is shown.
import type { Operation } from '../run/run.ts';
import type { CliCommand } from './cli.ts';
import type { McpTool } from './mcp.ts';

const COMMANDS: Readonly<Record<Operation, () => Promise<{ default: CliCommand }>>> = {
  scrape: () => import('contracts:command/scrape'),
  search: () => import('contracts:command/search'),
  answer: () => import('contracts:command/answer'),
  crawl: () => import('contracts:command/crawl'),
  map: () => import('contracts:command/map'),
  parse: () => import('contracts:command/parse'),
  extract: () => import('contracts:command/extract'),
  agent: () => import('contracts:command/startAgent'),
  browser: () => import('contracts:command/createBrowser'),
};

/** Sessions are opened by HTTP and the command line only. */
const TOOLS: Readonly<Record<Operation, (() => Promise<{ default: McpTool }>) | undefined>> = {
  scrape: () => import('contracts:tool/firecrawl_scrape'),
  search: () => import('contracts:tool/firecrawl_search'),
  answer: () => import('contracts:tool/firecrawl_answer'),
  crawl: () => import('contracts:tool/firecrawl_crawl'),
  map: () => import('contracts:tool/firecrawl_map'),
  parse: () => import('contracts:tool/firecrawl_parse'),
  extract: () => import('contracts:tool/firecrawl_extract'),
  agent: () => import('contracts:tool/firecrawl_agent'),
  browser: undefined,
};

export const loadCommand = async (operation: Operation): Promise<CliCommand> => (await COMMANDS[operation]()).default;
export const loadTool = async (operation: Operation): Promise<McpTool | undefined> =>
  (await TOOLS[operation]?.())?.default;
