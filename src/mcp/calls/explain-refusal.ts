// A refusal of the service in words for a model: what happened, and what it or its user can do about it.
import type { ApiError } from '../../client/api-error.ts';

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Ask the user to give this MCP server a valid key: TRAWL_API_KEY for `trawl mcp`, the header `Authorization: Bearer KEY` for its address.',
  402: 'Do not repeat the call: ask the user to raise the budget, or ask for less.',
  403: 'Do not repeat the call: the key or its team may not do this. Ask the user to change that.',
};

export function explainRefusal({ message, code, status, retryAfter, body }: ApiError): string {
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
