// A tool of the MCP server: the names of its arguments and their types, as clients are told.
import { listTools } from '../../src/mcp/list-tools.ts';
import { TOOLS } from '../../src/mcp/tools/tools.ts';
import type { McpTool } from '../../web/console/playground/snippets/mcp.ts';

/** Its options are those of this tool, which clients are not told twice. */
const PAGE_OPTIONS = 'firecrawl_scrape';

export function toolOf(name: string): McpTool {
  const own = argumentsOf(name);
  return { name, arguments: own, ...('scrapeOptions' in own && { scrapeOptions: argumentsOf(PAGE_OPTIONS) }) };
}

function argumentsOf(name: string): Record<string, string> {
  const tool = listTools(TOOLS).find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  const properties = (tool.inputSchema.properties ?? {}) as Record<string, { type?: string }>;
  return Object.fromEntries(Object.entries(properties).map(([argument, { type = 'any' }]) => [argument, type]));
}
