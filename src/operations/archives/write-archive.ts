// Writes an archive as a file: its records, or these with their index and the list of pages (WACZ). Whatever its size, one
// exchange is in memory, and what an index needs of the others: a few bytes each.
import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createDeflatedText } from '../../archive/deflated-text.ts';
import { compressIndex, type IndexedRecord } from '../../archive/wacz/cdx.ts';
import { type ArchiveFile, PAGES_HEADER, writeWacz } from '../../archive/wacz/wacz-writer.ts';
import { readVersion } from '../../runtime/version.ts';
import type { ArchivedExchange, ArchiveKey, StoredArchive } from '../../store/ports/files/archive-store.ts';
import type { HeldFile, UploadContent } from '../../store/ports/files/upload-store.ts';
import { uuidv7 } from '../../util/ids.ts';
import { type RecordStore, writeInfo, writeRecords } from './write-records.ts';

export interface WriteDeps {
  archives: RecordStore;
  /** Writes to a file that exists until it is released. */
  holdFile(content: UploadContent): Promise<HeldFile>;
}

/** A ZIP cannot have larger files without further ado, and readers fetch parts of files anyway. */
const FILE_BYTES = 1024 ** 3;
const KEYS_AT_ONCE = 500;

export async function* writeWarcFile(
  archives: RecordStore,
  archive: StoredArchive,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  yield await writeInfo(archive);
  for await (const { bytes } of writeRecords(archives, archive, signal)) yield bytes;
}

/** Where records are, by the number of their exchange. */
interface Places {
  numbers: number[];
  files: number[];
  offsets: number[];
  lengths: number[];
  revisits: Set<number>;
}

/** Its directory comes last, but says of each file what is only known when that is written: so the records are held meanwhile. */
export async function* writeWaczFile(
  deps: WriteDeps,
  archive: StoredArchive,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const files: (Omit<ArchiveFile, 'read'> & { start: number; sum: Hash })[] = [];
  const places: Places = { numbers: [], files: [], offsets: [], lengths: [], revisits: new Set() };
  const pages = createPageList();
  let written = 0;

  const add = (bytes: Uint8Array): Uint8Array => {
    const file = files.at(-1)!;
    file.size += bytes.byteLength;
    file.crc = crc32(bytes, file.crc);
    file.sum.update(bytes);
    written += bytes.byteLength;
    return bytes;
  };
  async function* records() {
    for await (const { bytes, length, indexed, isRevisit } of all()) {
      const file = files.at(-1)!;
      if (indexed) {
        places.numbers.push(indexed.number);
        places.files.push(files.length - 1);
        places.offsets.push(file.size);
        places.lengths.push(length);
        if (isRevisit) places.revisits.add(indexed.number);
        if (indexed.page !== undefined) await pages.add(indexed);
      }
      yield add(bytes);
    }
  }
  async function* all() {
    let isFirst = true;
    for await (const record of writeRecords(deps.archives, archive, signal)) {
      if (isFirst || files.at(-1)!.size > FILE_BYTES) yield await begin();
      isFirst = false;
      yield record;
    }
    if (isFirst) yield await begin();
  }
  const begin = async () => {
    const name = `data-${String(files.length).padStart(5, '0')}.warc.gz`;
    const bytes = await writeInfo(archive);
    files.push({ name, size: 0, crc: 0, hash: '', start: written, sum: createHash('sha256') });
    return { bytes, length: bytes.byteLength, indexed: undefined, isRevisit: false };
  };

  let held: HeldFile | undefined;
  try {
    held = await deps.holdFile(records());
    const { readRange } = held;
    const listed = files.map(({ start, sum, ...file }) => ({
      ...file,
      hash: sum.digest('hex'),
      read: () => readRange({ start, end: start + file.size - 1 }),
    }));
    yield* writeWacz({
      title: archive.name,
      createdAt: new Date(archive.createdAt),
      software: `Trawl/${readVersion()}`,
      files: listed,
      index: await compressIndex(indexOf(deps.archives, archive, places, listed)),
      pages: await pages.end(),
      ...(archive.removed > 0 && { facts: { removed: archive.removed } }),
    });
  } finally {
    await held?.release();
    await pages.close();
  }
}

async function* indexOf(
  archives: RecordStore,
  { id }: StoredArchive,
  places: Places,
  files: readonly { name: string }[],
): AsyncGenerator<IndexedRecord> {
  let last: ArchiveKey | undefined;
  do {
    const keys: ArchiveKey[] = await archives.keys(id, last, KEYS_AT_ONCE);
    for (const { number, type, digest, ...key } of keys) {
      const place = placeOf(places.numbers, number);
      // Added after the records were written.
      if (place === undefined) continue;
      yield {
        ...{
          ...key,
          mime: places.revisits.has(number) ? 'warc/revisit' : type,
          digest: `sha256:${digest}`,
          file: files[places.files[place]!]!.name,
        },
        ...{ offset: places.offsets[place]!, length: places.lengths[place]! },
      };
    }
    last = keys.length === KEYS_AT_ONCE ? keys.at(-1) : undefined;
  } while (last);
}

/** The numbers ascend. */
function placeOf(numbers: readonly number[], wanted: number): number | undefined {
  let from = 0;
  let to = numbers.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (numbers[middle]! < wanted) from = middle + 1;
    else to = middle;
  }
  return numbers[from] === wanted ? from : undefined;
}

function createPageList() {
  const text = createDeflatedText();
  const hash = createHash('sha256');
  const append = async (line: string) => {
    hash.update(line);
    await text.append(line);
  };
  const begun = append(PAGES_HEADER);
  return {
    async add({ url, at, page = '' }: ArchivedExchange): Promise<void> {
      await begun;
      await append(`${JSON.stringify({ id: uuidv7(at), url, ts: new Date(at).toISOString(), title: page })}\n`);
    },
    async end() {
      await begun;
      return { ...(await text.end()), hash: hash.digest('hex') };
    },
    close: () => text.close(),
  };
}
