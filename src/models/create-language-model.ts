// The port over one asked model: wraps material, reads structured output, and remembers answers to identical calls.
import type { BoundedMap } from '../util/bounded-map.ts';
import { hashOf } from '../util/hash.ts';
import { type AnswerFormats, schemaRule } from './answer-formats.ts';
import type { AskedModel, Question } from './asked-model.ts';
import type {
  LanguageModel,
  ModelAnswer,
  ModelCall,
  ModelConversation,
  ModelLimits,
  ModelMaterial,
  ModelTurn,
  ModelUsage,
} from './language-model.ts';
import { conversationWords, wrapMaterial } from './material.ts';
import type { ModelChoice } from './model-choice.ts';
import type { AnswerFormat, WireMessage, Written } from './provider-model.ts';
import { readJson, withoutThoughts } from './read-json.ts';

export interface LanguageModelParts {
  choice: ModelChoice;
  asked: AskedModel;
  formats: AnswerFormats;
  team: string;
  /** Where the delimiters of conversations come from. Never leaves the process. */
  secret: string;
  /** Answers as JSON. Absent: nothing may be remembered. */
  cache: BoundedMap<string, string> | undefined;
  onCached(): void;
}

const FROM_CACHE: ModelUsage = { inputTokens: 0, outputTokens: 0, isCached: true };

export function createLanguageModel(parts: LanguageModelParts): LanguageModel {
  const { choice, asked, formats, team, secret, cache, onCached } = parts;

  const remembering = async <T>(
    { signal, ...call }: ModelCall & { schema?: object },
    ask: () => Promise<ModelAnswer<T>>,
  ): Promise<ModelAnswer<T>> => {
    signal.throwIfAborted();
    if (!cache) return ask();
    const key = hashOf(team, choice.url, choice.name, call);
    const known = cache.get(key);
    if (known !== undefined) {
      onCached();
      return { value: JSON.parse(known) as T, usage: FROM_CACHE };
    }
    const answer = await ask();
    cache.set(key, JSON.stringify(answer.value));
    return answer;
  };

  const object = async (call: ModelCall & { schema: object }): Promise<ModelAnswer<unknown>> => {
    const usage = { inputTokens: 0, outputTokens: 0 } as ModelUsage;
    const ask = async (format: AnswerFormat) => {
      const question = questionOf(call, format, call.schema);
      const { value, usage: used } = await asked.ask(question, ({ text }) => readJson(text));
      addUsage(usage, used);
      return value;
    };
    return { value: await formats.object(`${choice.url} ${choice.model}`, call.schema, ask), usage };
  };

  return {
    name: choice.name,
    contextTokens: choice.contextTokens,
    maxOutputTokens: choice.maxOutputTokens,
    text: (call) => remembering(call, () => asked.ask(questionOf(call, 'text'), ({ text }) => withoutThoughts(text))),
    object: (call) => remembering(call, () => object(call)),
    turn: (conversation) => asked.ask(conversationOf(conversation, secret), turnOf),
    stream(conversation) {
      const { pieces, written, usage } = asked.askStream(conversationOf(conversation, secret));
      const answer = Promise.all([written, usage]).then(([whole, used]) => ({ value: turnOf(whole), usage: used }));
      answer.catch(() => {});
      return { [Symbol.asyncIterator]: () => pieces[Symbol.asyncIterator](), answer };
    },
  };
}

function questionOf(call: ModelCall, format: AnswerFormat, schema?: object): Question {
  const { instructions, material, ...limits } = call;
  const { rule, texts } = wrapMaterial([material]);
  return {
    instructions: [instructions, rule, ...(schema ? [schemaRule(schema)] : [])].join('\n\n'),
    messages: [{ from: 'user', text: texts[0]! }],
    // A model that reads pages must not be able to act.
    tools: [],
    format,
    ...limitsOf(limits),
  };
}

/** The label of what a tool returned. */
const TOOL_LABEL = 'result';

function conversationOf(
  { id, instructions, messages, tools = [], ...limits }: ModelConversation,
  secret: string,
): Question {
  const words = id === undefined ? undefined : conversationWords(secret, id);
  const { rule, texts } = wrapMaterial(messages.map(materialOf), words, tools.length > 0 ? [TOOL_LABEL] : []);
  return {
    instructions: `${instructions}\n\n${rule}`,
    messages: messages.map((message, at) => toWire(message, texts[at]!)),
    tools,
    format: 'text',
    ...limitsOf(limits),
  };
}

type Message = ModelConversation['messages'][number];

const materialOf = (message: Message): ModelMaterial =>
  message.from === 'user' ? message.material : message.from === 'tool' ? { [TOOL_LABEL]: message.result } : {};

function toWire(message: Message, wrapped: string): WireMessage {
  if (message.from === 'model') return message;
  return message.from === 'user' ? { from: 'user', text: wrapped } : { ...message, result: wrapped };
}

const limitsOf = ({ maxOutputTokens, signal }: ModelLimits): ModelLimits => ({
  signal,
  ...(maxOutputTokens !== undefined && { maxOutputTokens }),
});

const turnOf = ({ text, toolCalls, memory }: Written): ModelTurn => ({
  text: withoutThoughts(text),
  toolCalls,
  ...(memory !== undefined && { memory }),
});

function addUsage(sum: ModelUsage, { inputTokens, outputTokens, isEstimated }: ModelUsage): void {
  sum.inputTokens += inputTokens;
  sum.outputTokens += outputTokens;
  if (isEstimated) sum.isEstimated = true;
}
