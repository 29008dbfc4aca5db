// What a text that makes the same call is written from.
import type { Body } from '../run/recent.ts';
import type { Operation } from '../run/run.ts';

export interface SnippetRequest {
  operation: Operation;
  /** Method and path of the call. */
  path: string;
  body: Body;
  /** The field that clients take as an argument of its own; undefined where a file or nothing takes its place. */
  main: string | undefined;
  /** File name in a call with a file. */
  fileName: string | undefined;
  /** Where the service is, without a slash at its end. */
  baseUrl: string;
  /** Authentication is off, so no key is sent. */
  isOpen?: boolean;
}

export interface Snippet {
  text: string;
  /** Options that this client cannot send. */
  missing: readonly string[];
}

/** The name of the file, if none was chosen yet. */
export const DEFAULT_FILE = 'report.pdf';

/** The body without its main field, and that field. */
export function withoutMain({ body, main }: SnippetRequest): { value: unknown; options: Body } {
  if (main === undefined) return { value: undefined, options: body };
  const { [main]: value, ...options } = body;
  return { value, options };
}
