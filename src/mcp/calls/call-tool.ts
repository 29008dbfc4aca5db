// One call of a tool: checks the arguments, runs it, and makes the answer of what it returns or throws.
import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '../../client/api-error.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { check } from '../../contracts/validate/validate.ts';
import type { Log } from '../../runtime/log.ts';
import type { Tool, ToolAnswer, ToolContext } from '../tool.ts';

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

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Ask the user to give this MCP server a valid key: TRAWL_API_KEY for `trawl mcp`, the header `Authorization: Bearer KEY` for its address.',
  402: 'Do not repeat the call: ask the user to raise the budget, or ask for less.',
  403: 'Do not repeat the call: the key or its team may not do this. Ask the user to change that.',
};

/** A refusal of the service in words for a model: what happened, and what it or its user can do about it. */
function explainRefusal({ message, code, status, retryAfter, body }: ApiError): string {
  const wait = retryAfter === undefined ? undefined : `Call again in ${seconds(retryAfter)}, not earlier.`;
  const advice = wait ?? ADVICE[status] ?? (status === 429 ? 'Call again later, and less often.' : undefined);
  return [message, ...unsaid(message, body), `Code: ${code}.`, advice].filter((part) => part !== undefined).join(' ');
}

const seconds = (count: number): string => `${count} second${count === 1 ? '' : 's'}`;

const MAX_DETAILS = 3;

/** Some calls say what is wrong with a request only in the details. */
function unsaid(message: string, body: unknown): string[] {
  const { details } = (body ?? {}) as { details?: unknown };
  if (!Array.isArray(details)) return [];
  return details
    .slice(0, MAX_DETAILS)
    .map((detail: { message?: unknown }) => String(detail?.message ?? ''))
    .filter((text) => text !== '' && !message.includes(text));
}
