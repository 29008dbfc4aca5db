// Files that commands write. A file is complete or absent: it is written beside its place and moved there.
import { type FileHandle, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomToken } from '../../util/ids.ts';
import { UsageError } from '../usage-error.ts';

type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface FileWriter {
  write(content: Content): Promise<void>;
  /** Puts the file in its place. */
  finish(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

const NAME_BYTES = 6;

/** Creates folders on the way. Replaces a file, never a folder, a device or a link. */
export async function openFile(path: string): Promise<FileWriter> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new UsageError(`${path} is a folder. Write ${path}/ to put files into it, or name a file.`);
  }
  return found && !found.isFile() ? openDevice(path) : openBeside(path, found ? await realpath(path) : path);
}

/** `/dev/stdout`, or a named pipe: nothing can be moved to its place. */
async function openDevice(path: string): Promise<FileWriter> {
  const handle = await naming(path, () => open(path, 'w'));
  return {
    write: (content) => naming(path, () => writeContent(handle, content)),
    finish: () => handle.close(),
    discard: () => handle.close(),
  };
}

async function openBeside(path: string, place: string): Promise<FileWriter> {
  const part = join(dirname(place), `.trawl-${randomToken(NAME_BYTES)}.part`);
  const handle = await naming(path, async () => {
    await mkdir(dirname(place), { recursive: true });
    return open(part, 'wx');
  });
  const discard = async () => {
    await handle.close().catch(() => {});
    await rm(part, { force: true });
  };
  return {
    write: (content) => naming(path, () => writeContent(handle, content)),
    finish: () =>
      naming(path, async () => {
        await handle.close();
        await rename(part, place);
      }),
    discard,
  };
}

export async function writeFileSafely(path: string, content: Content): Promise<void> {
  const file = await openFile(path);
  try {
    await file.write(content);
    await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function writeContent(handle: FileHandle, content: Content): Promise<void> {
  const chunks = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  for await (const chunk of chunks) await handle.appendFile(chunk);
}

/** Faults of the disk, in one sentence that says which file. */
async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const reason = message.split(',')[0]!.replace(`${code}: `, '');
    throw new UsageError(`${path} cannot be written: ${reason} (${code}).`);
  }
}
