// Gives an archive as a file: of a job, a scrape or an upload.
import { Download } from '../../archive/download.ts';
import { EXPORT_FILES, REMOVED_HEADER } from '../../contracts/crawl/export.ts';
import type { ArchiveStore, StoredArchive } from '../../store/ports/files/archive-store.ts';
import type { HeldFile, UploadContent } from '../../store/ports/files/upload-store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { ExportFile, FinishedExports } from '../job/export/finished-export.ts';
import { findArchive } from './find-archive.ts';

export interface ArchiveFileDeps {
  archives: ArchiveStore;
  holdFile(content: UploadContent): Promise<HeldFile>;
  clock: Pick<Clock, 'now'>;
}

interface ExportArchiveDeps extends ArchiveFileDeps {
  finishedExports: FinishedExports;
}

/** It is made anew when it is asked for later: what is deleted meanwhile is not in it any more. */
const KEPT_MS = 10 * 60_000;

const exportById = async (
  deps: ExportArchiveDeps,
  { caller, params, query }: Call<'exportArchive' | 'exportScrape'>,
): Promise<Download> => {
  const { signal } = caller;
  const archive = await findArchive(deps, caller, params.id);
  const { type, extension } = EXPORT_FILES[query.format];
  const { headers, ...file } = archiveFile(deps, archive, query.format);
  // Readers of archives ask for parts of them.
  const complete = await deps.finishedExports.open({ ...file, type, signal });
  return new Download(complete ?? file.make(signal), {
    ...{ type, headers },
    name: `${archive.kind}-${archive.id}.${extension}`,
  });
};

export const exportArchive = exportById;
export const exportScrape = exportById;

export function archiveFile(deps: ArchiveFileDeps, archive: StoredArchive, format: 'wacz' | 'warc'): ExportFile {
  const { id, records, removed, bytes } = archive;
  const now = deps.clock.now();
  return {
    // The period is part of the name: a file that has expired may still be there.
    of: ['archive', id, format, records, removed, bytes, Math.floor(now / KEPT_MS)],
    expiresAt: now + KEPT_MS,
    headers: { [REMOVED_HEADER]: String(removed) },
    async *make(signal) {
      const { writeWarcFile, writeWaczFile } = await import('./write-archive.ts');
      yield* format === 'warc' ? writeWarcFile(deps.archives, archive, signal) : writeWaczFile(deps, archive, signal);
    },
  };
}
