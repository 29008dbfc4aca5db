// What a tool of the MCP server is: arguments, answer, and a function that makes it with calls of the service.
import type { z } from 'zod';
import type { ApiClient } from '../client/api-client.ts';

export interface ToolContext {
  api: ApiClient;
  /** Aborts when the client cancels the call or is gone. */
  signal: AbortSignal;
  /** Tells the client how far the work is, if it asked for that. */
  report(progress: { done: number; total?: number; message?: string }): void;
  /** The most characters of an answer; the rest is read as a resource. */
  maxAnswer: number;
  /** The longest that a call waits for a job, in milliseconds. It then answers how far the job is. */
  maxWaitMs: number;
  /** Reads a file of the caller's machine; absent if the server runs on another one. */
  readFile?(path: string): Promise<{ name: string; content: Blob }>;
}

export interface ToolAnswer {
  /** What the schema of the tool's output describes. */
  structured: Record<string, unknown>;
  /** For clients that show text; the structured answer as JSON unless set. */
  text?: string;
  /** Where the rest is, if the answer is only a part. */
  links?: readonly ResourceLink[];
}

export interface ResourceLink {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  /** With the prefix that assistants set up for the public server know. */
  name: `firecrawl_${string}`;
  title: string;
  description: string;
  input: Input;
  output: Output;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint?: boolean;
    openWorldHint: boolean;
  };
  /** Throws ApiError, which becomes an answer with `isError`. */
  run(args: z.output<Input>, context: ToolContext): Promise<ToolAnswer>;
}

/** Keeps the types of a tool's own schemas while the table holds tools of all kinds. */
export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(definition: Tool<Input, Output>): Tool =>
  definition as unknown as Tool;
