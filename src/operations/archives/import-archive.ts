// Takes in an uploaded archive: its exchanges, up to the first damage. What could not be read is said.
import { ArchiveDamage } from '../../archive/archive-damage.ts';
import type { ArchiveResponse } from '../../contracts/archive/archive.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ArchiveStore, NewArchive, NewExchange } from '../../store/ports/files/archive-store.ts';
import type { Clock } from '../../util/clock.ts';
import { uuidv7 } from '../../util/ids.ts';
import type { Call } from '../call.ts';
import { ARCHIVE_MS } from '../page/archive/keep-archive.ts';
import { storedLimits } from '../threats/stored-limits.ts';
import { openArchiveFiles } from './archive-files.ts';
import { shownArchive } from './archives.ts';
import { readExchanges, type WhyLeftOut } from './read-exchanges.ts';

interface ImportDeps {
  archives: ArchiveStore;
  clock: Pick<Clock, 'now'>;
}

const MEGABYTE = 1024 * 1024;
const LIMITS = { recordBytes: 64 * MEGABYTE, totalBytes: 2048 * MEGABYTE };
/** What is added at once. */
const BATCH_BYTES = 4 * MEGABYTE;
const BATCH_EXCHANGES = 50;

const WHY: Readonly<Record<WhyLeftOut, string>> = {
  tooLarge: 'they are larger than 64 MB',
  wrongDigest: 'their digests are wrong',
  unknownPayload: 'they refer to records that the archive does not have',
  noAddress: 'they have no address of the web',
  noResponse: 'they carry no response of HTTP',
};

export async function importArchive(
  { archives, clock }: ImportDeps,
  { caller, file }: Call<'importArchive'>,
): Promise<ArchiveResponse> {
  if (!file || file.size === 0)
    throw new ServiceError('BAD_REQUEST', {
      message: 'The request has no file. Send one as multipart/form-data, in a part named `file`.',
    });
  const now = clock.now();
  const { files, titles, warnings } = openArchiveFiles(await file.read(), file.name);
  const leftOut = new Map<WhyLeftOut, number>();
  const options = {
    ...{ limits: LIMITS, now, payloads: new Map<string, string>() },
    onLeftOut: (why: WhyLeftOut) => leftOut.set(why, (leftOut.get(why) ?? 0) + 1),
  };
  const archive: NewArchive = {
    ...{ id: uuidv7(now), teamId: caller.team.id, kind: 'upload', name: file.name },
    ...{ createdAt: now, expiresAt: now + ARCHIVE_MS, ...storedLimits(caller) },
  };
  const adder = createAdder(archives, archive, titles);
  try {
    for (const { name, read } of files) {
      try {
        for await (const exchange of readExchanges(read(), options)) {
          caller.signal.throwIfAborted();
          await adder.add(exchange);
        }
      } catch (error) {
        const reason = damageOf(error);
        if (reason === undefined) throw error;
        warnings.push(`${name} was read up to a damage: ${reason}.`);
      }
    }
    for (const [why, count] of leftOut) warnings.push(`${count} records were left out: ${WHY[why]}.`);
    if (adder.count() === 0) throw nothingRead(warnings);
    await adder.end(warnings);
    const stored = await archives.find(archive.id, archive.teamId, now);
    if (!stored) throw new ServiceError('STORAGE_UNAVAILABLE');
    return { success: true, data: shownArchive(stored) };
  } catch (error) {
    await archives.remove(archive.id, archive.teamId).catch(() => {});
    throw error;
  }
}

/** One of several files in a ZIP may be damaged. */
function damageOf(error: unknown): string | undefined {
  if (error instanceof ArchiveDamage) return error.message;
  return error instanceof ServiceError && error.code === 'DOCUMENT_DAMAGED' ? 'it could not be unpacked' : undefined;
}

const nothingRead = (warnings: readonly string[]): ServiceError =>
  new ServiceError('DOCUMENT_DAMAGED', {
    message: `Nothing could be read from the archive. ${warnings.join(' ') || 'It has no responses.'} Check that it opens elsewhere.`,
  });

function createAdder(archives: ArchiveStore, archive: NewArchive, titles: ReadonlyMap<string, string> | undefined) {
  let batch: NewExchange[] = [];
  let bytes = 0;
  let count = 0;
  let part = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    await archives.add(archive, `file ${part}`, batch);
    part += 1;
    batch = [];
    bytes = 0;
  };
  return {
    count: () => count,
    async add(exchange: NewExchange): Promise<void> {
      const page = pageOf(exchange, titles);
      batch.push(page === undefined ? exchange : { ...exchange, page });
      bytes += exchange.body?.byteLength ?? 0;
      count += 1;
      if (bytes > BATCH_BYTES || batch.length >= BATCH_EXCHANGES) await flush();
    },
    async end(warnings: readonly string[]): Promise<void> {
      await flush();
      await archives.add({ ...archive, warnings }, `file ${part}`, []);
    },
  };
}

/** Without a list of pages, everything that a person could open is one. */
function pageOf(
  { url, method, status, type }: NewExchange,
  titles: ReadonlyMap<string, string> | undefined,
): string | undefined {
  if (method !== 'GET') return undefined;
  if (titles) return titles.get(url);
  return status === 200 && type === 'text/html' ? '' : undefined;
}
