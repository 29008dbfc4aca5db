// What takes up space in the data folder.
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { bytes, count } from '../../ui/data/format.ts';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Progress } from '../../ui/states/progress.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';

type DiskData = ResponseOf<'healthDisk'>['data'];
type Part = DiskData['parts'][number];

const PART_NAMES: Readonly<Record<Part['part'], [name: string, meaning: string]>> = {
  store: ['Database', 'Pages, results, jobs, keys'],
  index: ['Search index', 'Can be rebuilt'],
  blobs: ['Large files', 'Large pages, screenshots, uploads'],
  uploads: ['Incoming', 'Uploads in progress'],
  reserve: ['Reserve', 'Given up when the disk is full'],
  other: ['Other', 'Lists, locks, secrets'],
};

const COLUMNS: readonly Column<Part>[] = [
  { id: 'part', title: 'Part', cell: ({ part }) => PART_NAMES[part][0] },
  { id: 'meaning', title: 'Holds', isMinor: true, cell: ({ part }) => <span class="soft">{PART_NAMES[part][1]}</span> },
  {
    id: 'files',
    title: 'Files',
    align: 'end',
    cell: ({ files, estimate }) => `${estimate ? 'about ' : ''}${count(files)}`,
  },
  { id: 'bytes', title: 'Size', align: 'end', cell: (part) => `${part.estimate ? 'about ' : ''}${bytes(part.bytes)}` },
];

interface Props {
  disk: DiskData | undefined;
  error: unknown;
  onRetry: () => void;
}

export function Disk({ disk, error, onRetry }: Props) {
  return (
    <section class="stack" aria-labelledby="disk">
      <h2 id="disk">Disk</h2>
      {error !== undefined && <Problem error={error} onRetry={onRetry} />}
      {!disk && error === undefined && <Skeleton lines={8} />}
      {disk && <DiskParts disk={disk} />}
    </section>
  );
}

function DiskParts({ disk }: { disk: DiskData }) {
  const { folder, parts, totalBytes, freeBytes, diskBytes, minFreeBytes, cacheBytes, cacheMaxBytes } = disk;
  return (
    <div class="disk">
      <div class="stack">
        <p class="soft">
          The data folder <code>{folder}</code> holds {bytes(totalBytes)}.
        </p>
        <Progress value={diskBytes - freeBytes} max={diskBytes} label="Used space of the disk">
          {bytes(freeBytes)} of {bytes(diskBytes)} are free. Cached pages are removed when less than{' '}
          {bytes(minFreeBytes)} are free.
        </Progress>
        <Progress value={cacheBytes} max={cacheMaxBytes} label="Used space of the page cache">
          The page cache holds {bytes(cacheBytes)} and may hold {bytes(cacheMaxBytes)}.
        </Progress>
      </div>
      <Table caption="Parts of the data folder" columns={COLUMNS} rows={parts} rowKey={({ part }) => part} />
    </div>
  );
}
