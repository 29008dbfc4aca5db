// Reads a file of the user's machine for the tool that parses files. A page that an assistant reads may talk it into
// sending a private file, so only visible regular files are read, and the tool adds: only documents.
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../client/api-error.ts';
import { refuseHidden } from './input/hidden-file.ts';
import { invalidArgument } from './input/invalid-argument.ts';
import type { ToolContext } from './tool.ts';

/** The service may allow less, and then says so. */
const MAX_BYTES = 500 * 1024 * 1024;

export const readLocalFile: NonNullable<ToolContext['readFile']> = async (path) => {
  try {
    return await read(path);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw invalidArgument(`The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code}). ${WHERE}`);
  }
};

const WHERE = 'Set `filePath` to a file on the machine where this MCP server runs.';

async function read(path: string) {
  // Where links lead to is what counts: a link with a harmless name may point to a private file.
  const real = await realpath(pathOf(path));
  refuseHidden(path, real);
  // Without waiting for the other end if it is a pipe.
  await using file = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  const { size, isRegular } = await file.stat().then((stat) => ({ size: stat.size, isRegular: stat.isFile() }));
  if (!isRegular) throw invalidArgument(`${path} is not a regular file. ${WHERE}`);
  if (size > MAX_BYTES) throw invalidArgument(`${path} is larger than ${MAX_BYTES} bytes.`);
  return { name: basename(real), content: new Blob([await file.readFile()]) };
}

function pathOf(path: string): string {
  if (path.startsWith('file:')) return fileURLToPath(path);
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(path);
}
