// The log: JSON lines on standard error. Standard output is for the banner and for pipes.
import { destination, type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Maximum size of lines waiting to be written; further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

export interface LogContext {
  /** In every line: which process wrote it, if there are several. */
  process?: string;
  /** What the line was written for: a request, a job. */
  labels?(): object;
}

export function createLog(level: LogLevel, { process: name, labels }: LogContext = {}): Log {
  const output = destination({ dest: 2, sync: false, maxLength: MAX_WAITING_BYTES });
  surviveFullDisk(output);
  const base = name === undefined ? undefined : { process: name };
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime, ...(labels && { mixin: labels }) }, output);
}

/** Standard error may be a file on a full disk. The service then goes on without a log, and can still end. */
function surviveFullDisk(output: ReturnType<typeof destination>): void {
  let isFailing = false;
  output.on('write', () => {
    isFailing = false;
  });
  output.once('error', () =>
    process.prependOnceListener('exit', () => {
      // The remaining lines would be written again and again.
      if (isFailing) output.destroy();
    }),
  );
  output.on('error', () => {
    isFailing = true;
  });
}
