// Serves the prompts, and completes their arguments and the variables of resource templates.
import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Prompt } from '../prompt.ts';
import type { ResourceContext } from '../resource.ts';
import { RESOURCES } from '../resources/resources.ts';
import { protocolError } from '../resources/serve-resources.ts';
import { PROMPTS } from './prompts.ts';

/** The protocol allows no more. */
const MAX_COMPLETIONS = 100;

export function servePrompts(server: Server, contextOf: (request: ServerContext) => ResourceContext): void {
  server.registerCapabilities({ prompts: {}, completions: {} });
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ name, title, description, arguments: list }) => ({
      ...{ name, title, description },
      arguments: list.map((each) => ({
        name: each.name,
        description: each.description,
        ...(each.required && { required: true }),
      })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = findPrompt(params.name);
    const text = prompt.write(checkArguments(prompt, params.arguments ?? {}));
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
    };
  });
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }, ctx) => {
    const known =
      ref.type === 'ref/prompt'
        ? findPrompt(ref.name).arguments.find(({ name }) => name === argument.name)?.values
        : await valuesOf(ref.uri, argument.name, contextOf(ctx));
    const start = argument.value.toLowerCase();
    const values = (known ?? []).filter((value) => value.toLowerCase().startsWith(start));
    return {
      completion: {
        values: values.slice(0, MAX_COMPLETIONS),
        total: values.length,
        hasMore: values.length > MAX_COMPLETIONS,
      },
    };
  });
}

function findPrompt(name: string): Prompt {
  const prompt = PROMPTS.find((each) => each.name === name);
  if (prompt) return prompt;
  throw invalid(`There is no prompt ${name.slice(0, 100)}. There are: ${PROMPTS.map((each) => each.name).join(', ')}.`);
}

/** Empty texts count as absent: forms of clients send them for fields that were left blank. */
function checkArguments(prompt: Prompt, given: Record<string, string>): Record<string, string> {
  const filled = Object.fromEntries(
    Object.entries(given)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  const missing = prompt.arguments.filter(({ name, required }) => required && filled[name] === undefined);
  if (missing.length === 0) return filled;
  throw invalid(`The prompt ${prompt.name} needs: ${missing.map(({ name }) => name).join(', ')}.`);
}

async function valuesOf(template: string, variable: string, context: ResourceContext): Promise<readonly string[]> {
  const kind = RESOURCES.find((each) => each.template === template);
  try {
    return (await kind?.values?.[variable]?.(context)) ?? [];
  } catch (error) {
    throw protocolError(error);
  }
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
