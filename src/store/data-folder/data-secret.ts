// The secret of a data folder: random bytes that sign links and from which encryption keys are derived. It is created
// once and kept for good.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError } from './data-folder.ts';

const SECRET_BYTES = 32;

/**
 * Reads the secret, or creates it. Only the owner of the data folder may call this. A new secret is on disk before it
 * is used, so that the next start can verify every signature. `given` is the operator's own.
 */
export function readSecret(folder: string, given?: Uint8Array): Uint8Array {
  const file = join(folder, 'secret');
  const secret = readOrNothing(file) ?? writeSecret(folder, file, given ?? randomBytes(SECRET_BYTES));
  if (given && secret.byteLength === given.byteLength && !timingSafeEqual(secret, given)) {
    throw new DataFolderError(
      `TRAWL_SECRET is not the secret of this data folder, which is in the file ${file}. Remove the setting, or set the secret that the folder was made with.`,
    );
  }
  if (secret.byteLength === SECRET_BYTES) return secret;
  throw new DataFolderError(
    `The file ${file} must have ${SECRET_BYTES} bytes and has ${secret.byteLength}. Restore a copy of it, or remove it to get a new one (existing file links then answer 404, and saved browser profiles become unreadable).`,
  );
}

function writeSecret(folder: string, file: string, secret: Uint8Array): Uint8Array {
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
