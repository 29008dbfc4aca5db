// An archive of the caller's team that the key of the caller may see.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { checkReach, type StartedWork } from '../../policy/keys/key-reach.ts';
import type { ArchiveStore, StoredArchive } from '../../store/ports/files/archive-store.ts';
import type { Clock } from '../../util/clock.ts';
import { isUuid } from '../../util/ids.ts';
import type { Caller } from '../caller.ts';

export interface FindArchiveDeps {
  archives: Pick<ArchiveStore, 'find'>;
  clock: Pick<Clock, 'now'>;
}

/** An archive has what sites have sent, which is what these formats return. */
export const reachOf = ({ keyDomains }: Pick<StoredArchive, 'keyDomains'>): StartedWork => ({
  keyDomains,
  request: { formats: [{ type: 'rawHtml' }, { type: 'rawBase64' }] },
});

/** Throws ARCHIVE_NOT_FOUND, and KEY_RESTRICTED for what the key could not have read. */
export async function findArchive(
  { archives, clock }: FindArchiveDeps,
  caller: Caller,
  id: string,
): Promise<StoredArchive> {
  const archive = isUuid(id) ? await archives.find(id, caller.team.id, clock.now()) : undefined;
  if (!archive) throw new ServiceError('ARCHIVE_NOT_FOUND');
  checkReach(caller, reachOf(archive));
  return archive;
}
