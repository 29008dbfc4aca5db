// The service that runs on a data folder, for commands of the same user.

import type { FoundService } from '../../cli/local-tools.ts';
import { createApiClient } from '../../client/api-client.ts';
import { ApiError } from '../../client/api-error.ts';
import { connectOverHttp } from '../../client/http-connection.ts';
import { isFolderInUse, lockOwner } from '../../store/data-folder/folder-lock.ts';
import { readServiceFile } from '../../store/data-folder/service-file.ts';

/** A service that is about to stop, or hangs, must not hold up a command. */
const ANSWER_MS = 3_000;

/**
 * Undefined if none runs. A file that a killed service left is not believed: another program of any user may listen on its
 * port by now, and would be sent a key. The lock and its owner tell.
 */
export async function findService(dataDir: string): Promise<FoundService | undefined> {
  const note = readServiceFile(dataDir);
  if (!note || lockOwner(dataDir) !== note.pid || !isFolderInUse(dataDir)) return undefined;
  const { send, close } = connectOverHttp(note.url);
  try {
    await createApiClient({ send, origin: 'cli' }).download('liveness', { signal: AbortSignal.timeout(ANSWER_MS) });
    const { url, publicUrl, needsKey } = note;
    return { url, ...(publicUrl !== undefined && { publicUrl }), needsKey };
  } catch (error) {
    if (error instanceof ApiError || (error as Error).name === 'TimeoutError') return undefined;
    throw error;
  } finally {
    await close();
  }
}
