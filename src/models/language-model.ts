// Port: a language model that the operator has chosen. One adapter speaks to all providers.
import type { ModelPurpose } from '../contracts/operator/model-purpose.ts';
import type { Asker } from '../runtime/gate/gate.ts';

/**
 * Text of pages and callers, by a label that the instructions use: `{ question: '...', page: '...' }`. It is content and
 * never an instruction: each text is sent between delimiters that it cannot contain. A string has the label `page`.
 */
export type ModelMaterial = string | Readonly<Record<string, string>>;

export interface ModelLimits {
  /** The most tokens that the answer may have; by default, as many as the model may write at once. */
  maxOutputTokens?: number;
  signal: AbortSignal;
}

export interface ModelCall extends ModelLimits {
  /** What to do. Never contains text of a page. */
  instructions: string;
  material: ModelMaterial;
}

export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  /** The server did not count: both are estimates. */
  isEstimated?: true;
  /** The answer comes from the cache: nothing was sent, and both are 0. */
  isCached?: true;
}

export interface ModelAnswer<T> {
  value: T;
  usage: ModelUsage;
}

export interface ModelTool {
  name: string;
  description: string;
  /** JSON schema of its input, an object. */
  input: object;
}

export interface ModelToolCall {
  id: string;
  name: string;
  /** As the model wrote it. The caller validates it. */
  input: unknown;
}

/** What the model said in one turn. It may ask for tools; the caller runs them and takes the next turn. */
export interface ModelTurn {
  text: string;
  toolCalls: ModelToolCall[];
  /** What the provider wants to see again in the next turn, for example signed thoughts. */
  memory?: unknown;
}

export type ModelMessage =
  | { from: 'user'; material: ModelMaterial }
  | { from: 'model'; turn: ModelTurn }
  /** The result of a tool is content like that of a page. */
  | { from: 'tool'; call: ModelToolCall; result: string };

export interface ModelConversation extends ModelLimits {
  /** Turns of one conversation share their delimiters, so that its beginning stays the same and a server can cache it. */
  id?: string;
  instructions: string;
  messages: readonly ModelMessage[];
  tools?: readonly ModelTool[];
}

/** A turn while it is written: pieces of its text, then the whole. `answer` rejects if the turn fails. */
export interface ModelStream extends AsyncIterable<string> {
  answer: Promise<ModelAnswer<ModelTurn>>;
}

/** A model for one purpose and one team. Everything throws ServiceError if the answer is cut, empty or refused. */
export interface LanguageModel {
  /** As in the settings: `ollama:qwen3:8b`. */
  readonly name: string;
  /** How many tokens instructions, material and answer may have together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  text(call: ModelCall): Promise<ModelAnswer<string>>;
  /** A value that fits the schema, as far as the server can guarantee it. The caller validates it. */
  object(call: ModelCall & { schema: object }): Promise<ModelAnswer<unknown>>;
  turn(conversation: ModelConversation): Promise<ModelAnswer<ModelTurn>>;
  stream(conversation: ModelConversation): ModelStream;
}

/** Who asks, and under which conditions. */
export interface ModelAsker extends Asker {
  /** Zero data retention or lockdown: no text may leave this machine, and nothing is cached. */
  isPrivate: boolean;
  /** What the calls of one request have used; the model adds to it. */
  spending?: ModelSpending;
}

export interface ModelSpending {
  tokens: number;
  /** By the operator's price per token. */
  credits: number;
}

export interface Models {
  /** The model for this purpose. `without` says why no model can be used, in words for the caller. */
  choose(purpose: ModelPurpose, asker: ModelAsker): { model: LanguageModel } | { without: string };
}
