// How the three dialects look on the wire: reading a request, sending an answer, whole or as events.
import type { ServerResponse } from 'node:http';
import type { ModelReply, ReceivedCall } from './model-server.ts';

export type Dialect = 'chat' | 'anthropic' | 'google';
type Said = Extract<ModelReply, { text?: unknown }>;
type Read = Omit<ReceivedCall, 'dialect' | 'headers' | 'material' | 'body'>;
type Json = Record<string, unknown>;

interface DialectShape {
  path: RegExp;
  /** What precedes the path in a base URL. */
  base: string;
  provider: string;
  read(body: Json, path: string): Read;
  send(response: ServerResponse, call: ReceivedCall, reply: Said): void;
}

const textOf = (text: unknown): string =>
  typeof text === 'string' ? text : text === undefined ? '' : JSON.stringify(text);
const USAGE = { input: 100, output: 20 };
const usageOf = ({ usage = USAGE }: Said) => usage;
/** In a few pieces, as models stream. */
const piecesOf = (text: string): string[] => text.match(/[\s\S]{1,12}/g) ?? [];

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendEvents(response: ServerResponse, events: { event?: string; data: unknown }[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of events) {
    response.write(
      `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    );
  }
  response.end();
}

/** Content is a string or a list of parts. */
const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: Json) => textOf(part.text ?? part.content ?? part.functionResponse ?? '')).join('')
      : '';

const chat: DialectShape = {
  path: /\/chat\/completions$/,
  base: '/v1',
  provider: 'compatible',
  read(body) {
    const messages = (body.messages as Json[]).map((message) => ({
      role: String(message.role),
      text: contentText(message.content),
    }));
    const format = body.response_format as { type?: string; json_schema?: { schema?: unknown } } | undefined;
    return {
      model: String(body.model),
      system: messages
        .filter(({ role }) => role === 'system')
        .map(({ text }) => text)
        .join('\n'),
      messages: messages.filter(({ role }) => role !== 'system'),
      format: format?.type === 'json_schema' ? 'schema' : format?.type === 'json_object' ? 'json' : 'text',
      schema: format?.json_schema?.schema,
      tools: ((body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name),
      maxOutputTokens: (body.max_tokens ?? body.max_completion_tokens) as number | undefined,
      isStream: body.stream === true,
    };
  },
  send(response, call, reply) {
    const usage = usageOf(reply);
    const counted = usage && {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    };
    const toolCalls = reply.toolCalls?.map(({ name, input }, index) => ({
      id: `call_${index}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    const isRefusal = reply.finish === 'refusal';
    const reason = isRefusal ? 'stop' : (reply.finish ?? (toolCalls ? 'tool_calls' : 'stop'));
    const common = { id: 'chatcmpl-test', created: 1, model: call.model };
    if (!call.isStream) {
      const message = {
        role: 'assistant',
        content: isRefusal || reply.text === undefined ? null : textOf(reply.text),
        ...(isRefusal && { refusal: textOf(reply.text) || "I can't help with that." }),
        ...(toolCalls && { tool_calls: toolCalls }),
      };
      return sendJson(response, {
        ...common,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: reason }],
        ...(counted && { usage: counted }),
      });
    }
    const chunk = (delta: Json, finish: string | null = null) => ({
      data: { ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] },
    });
    sendEvents(response, [
      chunk({ role: 'assistant', content: '' }),
      ...piecesOf(textOf(reply.text)).map((piece) => chunk(isRefusal ? { refusal: piece } : { content: piece })),
      ...(toolCalls ?? []).map((toolCall, index) => chunk({ tool_calls: [{ index, ...toolCall }] })),
      chunk({}, reason),
      ...(counted ? [{ data: { ...common, object: 'chat.completion.chunk', choices: [], usage: counted } }] : []),
      { data: '[DONE]' },
    ]);
  },
};

const anthropic: DialectShape = {
  path: /\/messages$/,
  base: '/anthropic/v1',
  provider: 'anthropic',
  read(body) {
    const format =
      (body.output_config as { format?: { schema?: unknown } } | undefined)?.format ??
      (body.output_format as { schema?: unknown } | undefined);
    const jsonTool = ((body.tools ?? []) as { name: string; input_schema?: unknown }[]).find(
      ({ name }) => name === 'json',
    );
    return {
      model: String(body.model),
      system: contentText(body.system),
      messages: (body.messages as Json[]).map(({ role, content }) => ({
        role: String(role),
        text: contentText(content),
      })),
      format: format || jsonTool ? 'schema' : 'text',
      schema: format?.schema ?? jsonTool?.input_schema,
      tools: ((body.tools ?? []) as { name: string }[]).map(({ name }) => name).filter((name) => name !== 'json'),
      maxOutputTokens: body.max_tokens as number | undefined,
      isStream: body.stream === true,
    };
  },
  send(response, call, reply) {
    const usage = usageOf(reply);
    const counted = { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 };
    const asTool = ((call.body.tools ?? []) as { name: string }[]).some(({ name }) => name === 'json');
    const calls = asTool && call.format === 'schema' ? [{ name: 'json', input: reply.text }] : (reply.toolCalls ?? []);
    const text = asTool && call.format === 'schema' ? '' : textOf(reply.text);
    const stop = { length: 'max_tokens', refusal: 'refusal', stop: 'end_turn' }[reply.finish ?? 'stop'];
    const reason = calls.length > 0 && reply.finish === undefined ? 'tool_use' : stop;
    const tools = calls.map(({ name, input }, index) => ({ type: 'tool_use', id: `toolu_${index}`, name, input }));
    const message = { id: 'msg_test', type: 'message', role: 'assistant', model: call.model };
    if (!call.isStream) {
      const content = [...(text === '' ? [] : [{ type: 'text', text }]), ...tools];
      return sendJson(response, { ...message, content, stop_reason: reason, stop_sequence: null, usage: counted });
    }
    const event = (type: string, data: Json) => ({ event: type, data: { type, ...data } });
    sendEvents(response, [
      event('message_start', {
        message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: counted },
      }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...piecesOf(text).map((piece) =>
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } }),
      ),
      event('content_block_stop', { index: 0 }),
      ...tools.flatMap(({ input, ...tool }, index) => [
        event('content_block_start', { index: index + 1, content_block: { ...tool, input: {} } }),
        event('content_block_delta', {
          index: index + 1,
          delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
        }),
        event('content_block_stop', { index: index + 1 }),
      ]),
      event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: counted }),
      event('message_stop', {}),
    ]);
  },
};

const google: DialectShape = {
  path: /:(?:generateContent|streamGenerateContent)(?:\?.*)?$/,
  base: '/v1beta',
  provider: 'google',
  read(body, path) {
    const config = (body.generationConfig ?? {}) as Json;
    const isJson = config.responseMimeType === 'application/json';
    const schema = config.responseSchema ?? config.responseJsonSchema;
    const declared = ((body.tools ?? []) as { functionDeclarations?: { name: string }[] }[]).flatMap(
      (tool) => tool.functionDeclarations ?? [],
    );
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
      system: contentText((body.systemInstruction as { parts?: unknown } | undefined)?.parts),
      messages: (body.contents as Json[]).map(({ role, parts }) => ({ role: String(role), text: contentText(parts) })),
      format: !isJson ? 'text' : schema === undefined ? 'json' : 'schema',
      schema,
      tools: declared.map(({ name }) => name),
      maxOutputTokens: config.maxOutputTokens as number | undefined,
      isStream: path.includes('streamGenerateContent'),
    };
  },
  send(response, call, reply) {
    const usage = usageOf(reply);
    const counted = usage && {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    };
    const text = textOf(reply.text);
    const finishReason = { length: 'MAX_TOKENS', refusal: 'SAFETY', stop: 'STOP' }[reply.finish ?? 'stop'];
    const calls = (reply.toolCalls ?? []).map(({ name, input }) => ({ functionCall: { name, args: input } }));
    const answer = (parts: unknown[], reason?: string) => ({
      candidates: [{ index: 0, content: { role: 'model', parts }, ...(reason && { finishReason: reason }) }],
      ...(reason && counted && { usageMetadata: counted }),
    });
    if (!call.isStream) return sendJson(response, answer([...(text ? [{ text }] : []), ...calls], finishReason));
    sendEvents(response, [
      ...piecesOf(text).map((piece) => ({ data: answer([{ text: piece }]) })),
      { data: answer(calls, finishReason) },
    ]);
  },
};

export const DIALECTS: Readonly<Record<Dialect, DialectShape>> = { chat, anthropic, google };
