// A failure in one sentence, and how the program ends because of it.
import { ApiError } from '../client/api-error.ts';
import { EXIT } from './exit-codes.ts';
import type { LocalTools } from './local-tools.ts';
import type { ResolvedFlag } from './parse/resolved-flag.ts';
import { UsageError } from './usage-error.ts';

export interface Failure {
  sentence: string;
  exitCode: number;
}

export function failureOf(error: unknown, local: LocalTools, flags: readonly ResolvedFlag[] = []): Failure {
  if (error instanceof UsageError) return { sentence: error.message, exitCode: EXIT.usage };
  if (error instanceof ApiError) return refusalOf(error, flags);
  const known = local.explain(error);
  if (known !== undefined) return { sentence: known, exitCode: EXIT.failed };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (local.client.isDebug) return { sentence: stack ?? message, exitCode: EXIT.failed };
  return { sentence: `${message || 'Unknown error'} (TRAWL_LOG_LEVEL=debug shows where.)`, exitCode: EXIT.failed };
}

function refusalOf({ message, code, status }: ApiError, flags: readonly ResolvedFlag[]): Failure {
  if (status === 401) {
    const hint = 'Set TRAWL_API_KEY to a key of this service; its operator makes one with `trawl keys add`.';
    return { sentence: `${message} ${hint}`, exitCode: EXIT.unavailable };
  }
  const sentence = withFlagNames(message, flags);
  return { sentence, exitCode: code === 'UNREACHABLE' ? EXIT.unavailable : EXIT.failed };
}

/** The service names fields; the person who typed the command knows them as flags. */
export function withFlagNames(message: string, flags: readonly ResolvedFlag[]): string {
  const byPath = new Map(flags.flatMap(({ path, name }) => (path ? [[path.join('.'), name] as const] : [])));
  return message.replaceAll(/`([a-z][\w.]{0,100}?)(?:\.\d+)?`/gi, (whole, path: string) => {
    const name = byPath.get(path);
    return name === undefined ? whole : `--${name}`;
  });
}
