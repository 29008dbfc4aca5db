// What a failed query means: repeat it, wait for the database, or report a bug.
import { ServiceError } from '../../../contracts/errors/errors.ts';

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

const CONFLICTS = new Set(['40001', '40P01']);

/** Two transactions were in each other's way: the same one can run again. */
export const isConflict = (error: unknown): boolean => CONFLICTS.has(codeOf(error));

/** Another row has the same unique value. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === '23505';

/** The row that another one refers to does not exist. */
export const isOrphan = (error: unknown): boolean => codeOf(error) === '23503';

const DISK_FULL = '53100';
const READ_ONLY = '25006';
/** Classes of SQLSTATE: connection exception, insufficient resources, operator intervention, system error. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57', '58']);
/** Ours, or a bug: a query that takes too long. */
const TIMEOUTS = new Set(['55P03', '57014', '25P03']);
const CONNECTION_CODE = /^(CONNECTION_|CONNECT_TIMEOUT$|E[A-Z]{4,}$)/;

/** One sentence if the database cannot be used at the moment, by any query; undefined if this query itself is wrong. */
export function outageOf(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code === DISK_FULL) return 'the disk of the database is full';
  if (code === READ_ONLY) return 'the database is read-only';
  if (TIMEOUTS.has(code)) return 'the database is too slow';
  if (CONNECTION_CODE.test(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2))) return 'the database cannot be reached';
  return undefined;
}

/** The connection is gone, or goes with this error: nothing more can be sent on it. */
export const endsConnection = (error: unknown): boolean => {
  const { severity } = error as { severity?: unknown };
  return severity === 'FATAL' || severity === 'PANIC' || CONNECTION_CODE.test(codeOf(error));
};

/** Errors that say nothing about the database stay as they are. */
export function asServiceError(cause: unknown): unknown {
  const reason = cause instanceof ServiceError ? undefined : outageOf(cause);
  if (reason === undefined) return cause;
  return new ServiceError('STORAGE_UNAVAILABLE', {
    message: `The server cannot store anything at the moment, because ${reason}. Try again later.`,
    cause,
  });
}
