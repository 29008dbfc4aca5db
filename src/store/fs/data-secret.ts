// The secret of a data folder: random bytes that sign links and from which encryption keys are derived. It is created
// once and kept for good.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError } from './data-folder.ts';

const SECRET_BYTES = 32;

/**
 * Reads the secret, or creates it. Only the owner of the data folder may call this. A new secret is on disk before it
 * is used, so that the next start can verify every signature.
 */
export function readSecret(folder: string): Uint8Array {
  const file = join(folder, 'secret');
  const secret = readOrNothing(file) ?? makeSecret(folder, file);
  if (secret.byteLength === SECRET_BYTES) return secret;
  throw new DataFolderError(
    `The file ${file} must have ${SECRET_BYTES} bytes and has ${secret.byteLength}. Restore a copy of it, or remove it to get a new one (existing file links then answer 404, and saved browser profiles become unreadable).`,
  );
}

function makeSecret(folder: string, file: string): Uint8Array {
  const secret = randomBytes(SECRET_BYTES);
  // Overwrites what a killed start may have left behind.
  const temporary = `${file}.tmp`;
  writeFileSync(temporary, secret, { mode: 0o600, flush: true });
  renameSync(temporary, file);
  flushFolder(folder);
  return secret;
}

function readOrNothing(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The new file name becomes durable with the folder, not with the file. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
