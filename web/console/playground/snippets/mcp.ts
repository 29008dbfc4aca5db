// The call as a tool call of the MCP server, and the entry that connects an assistant to it.
import { writeJson } from '../form/json-text.ts';
import type { Body } from '../run/recent.ts';
import { DEFAULT_FILE, type Snippet, type SnippetRequest } from './snippet.ts';

export interface McpTool {
  name: string;
  /** Types by the name of the argument. */
  arguments: Readonly<Record<string, string>>;
  /** Those inside `scrapeOptions`, if it has them. */
  scrapeOptions?: Readonly<Record<string, string>>;
}

export function mcpSnippet(request: SnippetRequest, tool: McpTool): Snippet {
  const { args, missing } = mcpArguments(request, tool);
  return { text: writeJson({ name: tool.name, arguments: args }), missing };
}

export function mcpArguments({ operation, body, fileName = DEFAULT_FILE }: SnippetRequest, tool: McpTool) {
  const missing: string[] = [];
  const args = taken(body, tool.arguments, '', missing);
  if (args.scrapeOptions !== undefined && tool.scrapeOptions) {
    const inner = taken(args.scrapeOptions as Body, tool.scrapeOptions, 'scrapeOptions.', missing);
    if (Object.keys(inner).length === 0) delete args.scrapeOptions;
    else args.scrapeOptions = inner;
  }
  return { args: operation === 'parse' ? { filePath: fileName, ...args } : args, missing };
}

function taken(body: Body, types: McpTool['arguments'], path: string, missing: string[]): Record<string, unknown> {
  const isTaken = ([name, value]: [string, unknown]) => {
    const type = types[name];
    if (type === 'any' || (type !== undefined && typeOf(value) === type)) return true;
    missing.push(path + name);
    return false;
  };
  return Object.fromEntries(Object.entries(body).filter(isTaken));
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** For the settings of an assistant. */
export const mcpConfig = (baseUrl: string, isOpen = false): string =>
  writeJson({
    mcpServers: {
      trawl: { url: `${baseUrl}/mcp`, ...(!isOpen && { headers: { Authorization: 'Bearer YOUR_KEY' } }) },
    },
  });
