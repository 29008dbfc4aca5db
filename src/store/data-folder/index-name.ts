// The name under which the index in a data folder follows the feed of a shared store. It stays the same after a restart, so the
// index goes on where it was.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = /^[\w-]{1,100}$/;

export function readIndexName(folder: string): string {
  const file = join(folder, 'index-name');
  const known = readOrNothing(file);
  if (known !== undefined && NAME.test(known)) return known;
  const name = `index-${randomUUID()}`;
  // If it is lost, the index goes on under another name, and the old one is forgotten in a day.
  writeFileSync(file, name);
  return name;
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
