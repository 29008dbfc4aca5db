// The log: JSON lines on standard error. Standard output is for the banner and for pipes.
import { destination, type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const createLog = (level: LogLevel): Log =>
  pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination({ dest: 2, sync: false }));
