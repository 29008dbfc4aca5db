// The secret of a data folder: random bytes that sign what only this service may have said, and from which the keys of
// what it encrypts are made. Made once, kept for good.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRET_BYTES = 32;

/**
 * Reads the secret and makes it if there is none. Only the owner of the data folder may do so. A new one is on the disk
 * before it is given out, so that no signature is ever made with a secret that the next start does not have.
 */
export function readSecret(folder: string): Uint8Array {
  const file = join(folder, 'secret');
  const secret = readOrNothing(file) ?? makeSecret(folder, file);
  if (secret.byteLength === SECRET_BYTES) return secret;
  throw new Error(
    `The file ${file} must have ${SECRET_BYTES} bytes and has ${secret.byteLength}: restore a copy of it, or remove it to get a new one (links to files that were given out before then answer 404, and saved browser profiles cannot be read any more).`,
  );
}

function makeSecret(folder: string, file: string): Uint8Array {
  const secret = randomBytes(SECRET_BYTES);
  // What a start that was killed here left behind is written over.
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

/** Its new name is on the disk with the folder, not with the file. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
