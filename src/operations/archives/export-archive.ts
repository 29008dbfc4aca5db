// Gives an archive as a file: of a job, a scrape or an upload.
import { Download, type WholeFile } from '../../archive/download.ts';
import { EXPORT_FILES, REMOVED_HEADER } from '../../contracts/crawl/export.ts';
import type { ArchiveStore, StoredArchive } from '../../store/ports/files/archive-store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import type { FinishedExports } from '../job/export/finished-export.ts';
import { findArchive } from './find-archive.ts';

export interface ExportArchiveDeps {
  archives: ArchiveStore;
  finishedExports: FinishedExports;
  clock: Pick<Clock, 'now'>;
}

type Format = 'wacz' | 'warc';

const exportById = async (
  deps: ExportArchiveDeps,
  { caller, params, query }: Call<'exportArchive' | 'exportScrape'>,
): Promise<Download> => writeExport(deps, caller, await findArchive(deps, caller, params.id), query.format);

export const exportArchive = exportById;
export const exportScrape = exportById;

/** Written to a file first: readers of archives ask for parts of it. */
export async function writeExport(
  deps: ExportArchiveDeps,
  { signal }: Pick<Caller, 'signal'>,
  archive: StoredArchive,
  format: Format,
  headers: Readonly<Record<string, string>> = {},
): Promise<Download> {
  const { id, kind, records, removed, bytes } = archive;
  const { type, extension } = EXPORT_FILES[format];
  const file = await deps.finishedExports.open([id, format, records, removed, bytes], type, (write) =>
    writeFormat(deps, archive, format, write),
  );
  signal.throwIfAborted();
  const whole: WholeFile = { size: file.size, read: (range) => file.read(range) };
  return new Download(chunksOf(whole), {
    ...{ type, name: `${kind}-${id}.${extension}`, file: whole },
    headers: { ...headers, [REMOVED_HEADER]: String(removed) },
  });
}

async function* chunksOf(file: WholeFile): AsyncGenerator<Uint8Array> {
  yield* file.read();
}

/** Whoever has asked first may leave: others wait for the same file. */
async function writeFormat(
  { archives, finishedExports }: ExportArchiveDeps,
  archive: StoredArchive,
  format: Format,
  write: (content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const { writeWarcFile, withWacz } = await import('./write-archive.ts');
  const { signal } = new AbortController();
  if (format === 'warc') return write(writeWarcFile(archives, archive, signal));
  return withWacz({ archives, whileWritten: finishedExports.whileWritten }, archive, signal, write);
}
