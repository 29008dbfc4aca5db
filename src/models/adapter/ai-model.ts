// The adapter: one model at one server, spoken to with the `ai` packages, which are loaded with the first call.
import type { ModelMessage as AiMessage, LanguageModel, Output, ToolSet } from 'ai';
import type { Egress } from '../../net/egress.ts';
import type { Clock } from '../../util/clock.ts';
import { isNestedTooDeeply } from '../../util/json/json-size.ts';
import { lazy } from '../../util/lazy.ts';
import type { ModelChoice } from '../model-choice.ts';
import { ModelProblem } from '../model-problem.ts';
import type {
  AnswerFormat,
  ModelRequest,
  ProviderModel,
  WireMessage,
  WritingStream,
  Written,
} from '../provider-model.ts';
import { problemOf } from './ai-problem.ts';
import { isStrictSchema } from './strict-schema.ts';

interface Deps {
  egress: Pick<Egress, 'request'>;
  clock: Pick<Clock, 'now'>;
}

type Ai = typeof import('ai');
interface Loaded {
  ai: Ai;
  model: LanguageModel;
}

export function createAiModel(choice: ModelChoice, { egress, clock }: Deps): ProviderModel {
  const load = lazy(() => loadModel(choice, egress));
  const settle = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw problemOf(error, clock.now());
    }
  };

  const write = async (request: ModelRequest): Promise<Written> => {
    const { ai, model } = await load();
    const result = await ai.generateText({ model, ...optionsOf(ai, request) });
    // Reading `output` throws unless the answer is complete.
    const isStructured = request.format !== 'text' && result.finishReason === 'stop';
    return writtenOf(result, isStructured ? (result.output as string) : undefined);
  };

  return {
    write: (request) => settle(request.signal, () => write(request)),
    stream: (request) => startStream(request, load, settle),
  };
}

async function loadModel(choice: ModelChoice, egress: Pick<Egress, 'request'>): Promise<Loaded> {
  const [ai, { openProvider }, { createModelFetch }] = await Promise.all([
    import('ai'),
    import('./open-provider.ts'),
    import('./model-fetch.ts'),
  ]);
  // The package would print them.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return { ai, model: await openProvider(choice, createModelFetch(egress)) };
}

function startStream(
  request: ModelRequest,
  load: () => Promise<Loaded>,
  settle: <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>,
): WritingStream {
  const { promise: written, resolve, reject } = Promise.withResolvers<Written>();
  written.catch(() => {});
  async function* read(): AsyncGenerator<string> {
    const { ai, model } = await load();
    const result = ai.streamText({ model, ...optionsOf(ai, request), onError: () => {} });
    for await (const part of result.stream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') request.signal.throwIfAborted();
      if (part.type === 'text-delta') yield part.text;
    }
    const [text, finishReason, usage, toolCalls, responseMessages] = await Promise.all([
      result.text,
      result.finishReason,
      result.usage,
      result.toolCalls,
      result.responseMessages,
    ]);
    resolve(writtenOf({ text, finishReason, usage, toolCalls, responseMessages }, undefined));
  }
  async function* pieces(): AsyncGenerator<string> {
    const reading = read();
    try {
      for (;;) {
        const next = await settle(request.signal, () => reading.next());
        if (next.done) return;
        yield next.value;
      }
    } catch (error) {
      reject(error);
    } finally {
      reject(new ModelProblem('empty'));
      await reading.return(undefined).catch(() => {});
    }
  }
  return { pieces: pieces(), written };
}

function optionsOf(ai: Ai, { instructions, messages, tools, format, maxOutputTokens, signal }: ModelRequest) {
  const toolSet: ToolSet = Object.fromEntries(
    tools.map(({ name, description, input }) => [
      name,
      ai.tool({ description, inputSchema: ai.jsonSchema<unknown>(input) }),
    ]),
  );
  const isStrict = typeof format === 'object' && isStrictSchema(format.schema);
  const strictness = { strictJsonSchema: isStrict };
  return {
    instructions,
    messages: messages.map(toAiMessage),
    ...(tools.length > 0 && { tools: toolSet }),
    ...(format !== 'text' && { output: jsonOutput(format) }),
    maxOutputTokens,
    // Retries are ours: they know how much time the request has.
    maxRetries: 0,
    abortSignal: signal,
    telemetry: { isEnabled: false },
    providerOptions: { openai: strictness, compatible: strictness },
  };
}

/** The text as it was written. Reading it is ours, because servers differ in what they enforce. */
const jsonOutput = (format: Exclude<AnswerFormat, 'text'>): ReturnType<typeof Output.text> => ({
  name: 'json',
  responseFormat: Promise.resolve({ type: 'json', ...(typeof format === 'object' && { schema: format.schema }) }),
  parseCompleteOutput: async ({ text }) => text,
  parsePartialOutput: async ({ text }) => ({ partial: text }),
  createElementStreamTransform: () => undefined,
});

function toAiMessage(message: WireMessage): AiMessage {
  if (message.from === 'user') return { role: 'user', content: message.text };
  if (message.from === 'tool') {
    const { id: toolCallId, name: toolName } = message.call;
    return {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: message.result } }],
    };
  }
  const { text, toolCalls, memory } = message.turn;
  if (memory !== undefined) return memory as AiMessage;
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...toolCalls.map(({ id, name, input }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input,
      })),
    ],
  };
}

interface AiResult {
  text: string;
  finishReason: string;
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
  toolCalls: readonly { toolCallId: string; toolName: string; input: unknown }[];
  responseMessages: readonly unknown[];
}

const FINISHES: Readonly<Record<string, Written['finish']>> = {
  stop: 'complete',
  'tool-calls': 'tools',
  length: 'cut',
  'content-filter': 'refused',
  error: 'failed',
};

/** `output` is the text of structured output, which some providers send apart. */
function writtenOf(
  { text, finishReason, usage, toolCalls, responseMessages }: AiResult,
  output: string | undefined,
): Written {
  const counted = { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
  const isUnreadable = toolCalls.some(({ input }) => isNestedTooDeeply(input));
  if (isUnreadable) return { text, toolCalls: [], memory: undefined, finish: 'failed', ...counted };
  return {
    text: output ?? text,
    toolCalls: toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
    memory: responseMessages.at(0),
    // Some servers give no reason at all.
    finish: FINISHES[finishReason] ?? 'complete',
    ...counted,
  };
}
