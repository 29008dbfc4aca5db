// The MCP server: one for each connection or HTTP request, all made from the same tables of tools, resources and prompts.
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { ApiClient } from '../client/api-client.ts';
import type { Log } from '../runtime/log.ts';
import { callTool } from './calls/call-tool.ts';
import { createReport } from './calls/report.ts';
import { instructionsFor } from './instructions.ts';
import { listTools } from './list-tools.ts';
import { servePrompts } from './prompts/serve-prompts.ts';
import { serveResources } from './resources/serve-resources.ts';
import type { Tool, ToolContext } from './tool.ts';
import { TOOLS } from './tools/tools.ts';

/** Characters. About 20,000 tokens: assistants refuse or cut answers of more than 25,000. */
export const DEFAULT_MAX_ANSWER = 60_000;
/** Clients give up after a minute unless they are set otherwise. */
const DEFAULT_WAIT_MS = 45_000;

export interface McpServerOptions extends Pick<ToolContext, 'readFile'> {
  /** How much answers hold, and how long calls wait, if not as usual. */
  limits?: Partial<Pick<ToolContext, 'maxAnswer' | 'maxWaitMs'>>;
  api: ApiClient;
  version: string;
  log: Pick<Log, 'error'>;
  tools?: readonly Tool[];
  /** Names of the tools that are served; all unless set. */
  chosen?: ReadonlySet<string>;
  /** Names of those that are shown. The others can be called and are refused by the service, which says why. */
  shown?: ReadonlySet<string>;
  /** Aborts when a call is cancelled by another HTTP request. */
  cancelled?(requestId: string | number): AbortSignal | undefined;
}

export function createMcpServer(options: McpServerOptions): Server {
  const { api, version, log, readFile, limits, chosen, shown } = options;
  const tools = within(options.tools ?? TOOLS, chosen);
  const listed = within(tools, shown);
  const server = new Server(
    { name: 'trawl', title: 'Trawl', version },
    { capabilities: { tools: {} }, instructions: instructionsFor(listed) },
  );
  const contextOf = (context: ServerContext): ToolContext => {
    const { id, signal } = context.mcpReq;
    const cancelled = options.cancelled?.(id);
    return {
      api,
      signal: cancelled ? AbortSignal.any([signal, cancelled]) : signal,
      report: createReport(context),
      maxAnswer: DEFAULT_MAX_ANSWER,
      maxWaitMs: DEFAULT_WAIT_MS,
      ...limits,
      ...(readFile && { readFile }),
    };
  };
  server.setRequestHandler('tools/list', () => ({ tools: listTools(listed) }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool \`${params.name}\`.`);
    return callTool(tool, params.arguments, contextOf(context), log);
  });
  serveResources(server, contextOf);
  servePrompts(server, contextOf);
  return server;
}

const within = (tools: readonly Tool[], names: ReadonlySet<string> | undefined): readonly Tool[] =>
  names ? tools.filter(({ name }) => names.has(name)) : tools;
