// Lists, shows and deletes archives.
import type { ArchiveResponse, ArchivesResponse } from '../../contracts/archive/archive.ts';
import { isInReach } from '../../policy/keys/key-reach.ts';
import type { ArchiveStore, StoredArchive } from '../../store/ports/files/archive-store.ts';
import { type Clock, iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import { findArchive, reachOf } from './find-archive.ts';

export interface ArchivesDeps {
  archives: ArchiveStore;
  clock: Pick<Clock, 'now'>;
}

export async function listArchives(
  { archives, clock }: ArchivesDeps,
  { caller, query: { limit, cursor } }: Call<'listArchives'>,
): Promise<ArchivesResponse> {
  const found = await archives.list(caller.team.id, clock.now(), {
    limit: limit + 1,
    ...(cursor !== undefined && { before: cursor }),
  });
  const page = found.slice(0, limit);
  return {
    success: true,
    data: page.filter((archive) => isInReach(caller, reachOf(archive))).map(shownArchive),
    ...(found.length > limit && { next: page.at(-1)!.id }),
  };
}

export async function getArchive(deps: ArchivesDeps, { caller, params }: Call<'getArchive'>): Promise<ArchiveResponse> {
  return { success: true, data: shownArchive(await findArchive(deps, caller, params.id)) };
}

export async function deleteArchive(
  deps: ArchivesDeps,
  { caller, params }: Call<'deleteArchive'>,
): Promise<{ success: true }> {
  const { id } = await findArchive(deps, caller, params.id);
  await deps.archives.remove(id, caller.team.id);
  return { success: true };
}

export const shownArchive = (archive: StoredArchive): ArchiveResponse['data'] => {
  const { id, kind, name, createdAt, expiresAt, records, bytes, removed, warnings } = archive;
  return { id, kind, name, createdAt: iso(createdAt), expiresAt: iso(expiresAt), records, bytes, removed, warnings };
};
