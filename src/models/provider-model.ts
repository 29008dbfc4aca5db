// Port inside this folder: one model at one server, asked once, without retries, limits or caches.
import type { ModelMessage, ModelTool, ModelToolCall } from './language-model.ts';

/** How the answer has to look: prose, any JSON, or JSON by a schema that the server enforces. */
export type AnswerFormat = 'text' | 'json' | { schema: object };

/** A message whose material has been wrapped. */
export type WireMessage = Exclude<ModelMessage, { from: 'user' }> | { from: 'user'; text: string };

export interface ModelRequest {
  instructions: string;
  messages: readonly WireMessage[];
  tools: readonly ModelTool[];
  format: AnswerFormat;
  maxOutputTokens: number;
  signal: AbortSignal;
}

export interface Written {
  text: string;
  toolCalls: ModelToolCall[];
  memory: unknown;
  /** Why it ended. */
  finish: 'complete' | 'tools' | 'cut' | 'refused' | 'failed';
  /** As the server counted, if it did. */
  inputTokens: number | undefined;
  outputTokens: number | undefined;
}

export interface ProviderModel {
  /** Throws ModelProblem, or the reason of the signal. */
  write(request: ModelRequest): Promise<Written>;
  stream(request: ModelRequest): WritingStream;
}

export interface WritingStream {
  /** Ends early if the call fails; `written` then rejects. */
  pieces: AsyncIterable<string>;
  written: Promise<Written>;
}
