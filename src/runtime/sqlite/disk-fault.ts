// What an error says about the disk. SQLite and the file system report the same faults in different codes.

/**
 * `full`: there is no space left. `read-only`: writing is not allowed. `failing`: the disk reports an error.
 * `damaged`: something on it cannot be read.
 */
export type DiskFault = 'full' | 'read-only' | 'failing' | 'damaged';

/** SQLite result codes: the primary ones, and those of I/O errors that mean damage (READ, SHORT_READ, DATA, CORRUPTFS). */
const SQLITE_FAULTS: Readonly<Record<number, DiskFault>> = {
  8: 'read-only',
  10: 'failing',
  11: 'damaged',
  13: 'full',
  14: 'failing',
  26: 'damaged',
};
const UNREADABLE = [266, 522, 8202, 8458];
const SYSTEM_FAULTS: Readonly<Record<string, DiskFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  EIO: 'failing',
};

export function diskFaultOf(error: unknown): DiskFault | undefined {
  const { code, errcode, syscall } = (error ?? {}) as { code?: string; errcode?: number; syscall?: string };
  if (code === 'ERR_SQLITE_ERROR' && errcode !== undefined) {
    // An extended result code has the primary code in its low byte.
    return UNREADABLE.includes(errcode) ? 'damaged' : SQLITE_FAULTS[errcode & 0xff];
  }
  // Programs, ports and processes can be forbidden, too.
  if (syscall === undefined || code === undefined || /^(?:spawn|connect|listen|bind|kill)/.test(syscall))
    return undefined;
  return SYSTEM_FAULTS[code];
}

/** Whether the fault keeps anything from being written, now and perhaps not later. */
export const isUnwritable = (fault: DiskFault | undefined): boolean => fault !== undefined && fault !== 'damaged';
