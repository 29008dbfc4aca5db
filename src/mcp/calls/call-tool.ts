// One call of a tool: checks the arguments, runs it, and makes the answer of what it returns or throws.
import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '../../client/api-error.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { check } from '../../contracts/validate.ts';
import type { Log } from '../../util/log.ts';
import type { Tool, ToolAnswer, ToolContext } from '../tool.ts';
import { explainRefusal } from './explain-refusal.ts';

/** As in the HTTP interface, null counts as absent, and unknown arguments are ignored. */
export async function callTool(
  tool: Tool,
  args: unknown,
  context: ToolContext,
  log: Pick<Log, 'error'>,
): Promise<CallToolResult> {
  try {
    const checked = check(tool.input, args);
    if (!('data' in checked)) return failed(`The arguments of ${tool.name} are not valid. ${checked.problem}`);
    return succeeded(tool, await tool.run(checked.data, context));
  } catch (error) {
    if (context.signal.aborted) return failed('The call was cancelled.');
    if (error instanceof ApiError) return refused(error);
    // Only the check of the arguments throws one.
    if (error instanceof ServiceError) return failed(error.message);
    const id = randomUUID();
    log.error({ err: error, id, tool: tool.name }, 'mcp tool failed');
    return failed(`${tool.name} failed unexpectedly. The log of the server has the cause under ID ${id}.`);
  }
}

function succeeded(tool: Tool, { structured, text, links = [] }: ToolAnswer): CallToolResult {
  // Clients refuse what the schema does not describe, so it is left out.
  const structuredContent = tool.output.parse(structured);
  return {
    content: [
      { type: 'text', text: text ?? JSON.stringify(structuredContent) },
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    structuredContent,
  };
}

/** Without structured content: clients would compare it with the schema of successful answers. */
const failed = (text: string, meta?: Record<string, unknown>): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text }],
  ...(meta && { _meta: meta }),
});

const refused = (error: ApiError): CallToolResult => {
  const { code, status, retryAfter } = error;
  return failed(explainRefusal(error), {
    'trawl/error': { code, status, ...(retryAfter !== undefined && { retryAfter }) },
  });
};
