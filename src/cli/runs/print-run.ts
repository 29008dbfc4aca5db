// Prints what a run has found: its data as JSON, and where the values come from.
import { ApiError } from '../../client/api-error.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { writeFileSafely } from '../output/write-file.ts';

export interface EndedRun {
  status: string;
  data?: unknown;
  partial?: unknown;
  message?: string | undefined;
  error?: string | undefined;
  warning?: string | undefined;
  sources?: Record<string, string[]> | undefined;
}

export const SOURCES_FLAG = { type: 'boolean', text: 'List the URLs that the values come from.' } as const;
export const DATA_OUTPUT_FLAG = {
  type: 'string',
  short: 'o',
  value: 'FILE',
  text: 'Write the data to this file.',
} as const;

/** Throws the error of a run that failed, after what it had found was printed. */
export async function printRun(
  run: EndedRun,
  { flags, screen }: Pick<Invocation, 'flags' | 'screen'>,
): Promise<number> {
  const text = screen.json ? JSON.stringify(run, undefined, 2) : resultText(run);
  const path = flags.output as string | undefined;
  if (text !== undefined && path !== undefined) {
    await writeFileSafely(path, `${text}\n`);
    screen.note(`Written to ${path}`);
  } else if (text !== undefined) screen.print(text);
  if (run.warning !== undefined) screen.note(run.warning);
  if (flags.sources) sayUrls(run, screen);
  if (run.status === 'completed') return EXIT.ok;
  const message = run.error ?? `The run is ${run.status}.`;
  throw new ApiError(message, { code: 'RUN_FAILED', status: 500, retryAfter: undefined, body: run });
}

function resultText({ status, data, partial, message }: EndedRun): string | undefined {
  if (message !== undefined) return message;
  const found = status === 'completed' ? data : partial;
  return found === undefined ? undefined : JSON.stringify(found, undefined, 2);
}

function sayUrls({ sources = {} }: EndedRun, screen: Invocation['screen']): void {
  for (const [path, urls] of Object.entries(sources)) screen.note(`${path}: ${urls.join(' ')}`);
}
