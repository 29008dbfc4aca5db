// What the caller of a call gets if the disk keeps it from being done.
import { type DiskFault, diskFaultOf } from '../../runtime/sqlite/disk-fault.ts';
import { ServiceError } from './errors.ts';

const REASONS: Readonly<Record<Exclude<DiskFault, 'damaged'>, string>> = {
  full: 'the disk is full',
  'read-only': 'the data folder is read-only',
  failing: 'the disk reports errors',
};

/** Errors that say nothing about the disk stay as they are. */
export function asDiskError(cause: unknown): unknown {
  const fault = diskFaultOf(cause);
  if (fault === undefined) return cause;
  if (fault === 'damaged') return new ServiceError('STORAGE_DAMAGED', { cause });
  return new ServiceError('STORAGE_UNAVAILABLE', {
    message: `The server cannot store anything at the moment, because ${REASONS[fault]}. Try again later.`,
    cause,
  });
}
