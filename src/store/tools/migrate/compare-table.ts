// Compares a table of the folder with that of the database: the number of its rows, and a hash of everything in them.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { DataFolderError } from '../../data-folder/data-folder.ts';
import { batchSize, type CopyDeps } from './copy-table.ts';
import type { TargetTable } from './database-target.ts';
import type { CellValue, TablePlan, TableRow } from './table-plan.ts';

export interface Compared {
  rows: number;
  blobs: number;
  /** Large contents that the folder itself has lost. */
  lost: number;
}

const BLOBS_AT_ONCE = 8;

export async function compareTable(plan: TablePlan, table: TargetTable, deps: CopyDeps): Promise<Compared> {
  const { source } = deps;
  const total = source.count(plan);
  const compared: Compared = { rows: 0, blobs: 0, lost: 0 };
  const limit = batchSize(plan, 1);
  let columns: string[] = [];
  const ours = createDigest();
  for await (const rows of batches(plan, (after) => source.read(plan, after, limit))) {
    const converted = rows.map(table.convert);
    columns = Object.keys(converted[0]!).toSorted();
    for (const row of converted) ours.add(row, columns);
    if (plan.hasBody) await compareBlobs(plan.name, rows, deps, compared);
    compared.rows += rows.length;
    deps.onProgress(plan.name, compared.rows, total);
  }
  const theirs = createDigest();
  for await (const rows of batches(plan, (after) => table.read(after, limit)))
    for (const row of rows) theirs.add(row, columns);
  if (theirs.value() !== ours.value()) throw differs(`The table ${plan.name}`);
  return compared;
}

async function* batches(
  { key }: TablePlan,
  read: (after: CellValue[] | undefined) => TableRow[] | Promise<TableRow[]>,
): AsyncGenerator<TableRow[]> {
  for (let after: CellValue[] | undefined; ; ) {
    const rows = await read(after);
    if (rows.length === 0) return;
    yield rows;
    after = key.map((column) => rows.at(-1)![column] ?? null);
  }
}

/** The sum of the hashes of all rows: texts that were shortened for an index may be in another order there. */
function createDigest() {
  let count = 0;
  let sum = 0n;
  return {
    add(row: TableRow, columns: readonly string[]) {
      const hash = createHash('sha256').update(JSON.stringify(columns.map((column) => shown(row[column]))));
      sum = BigInt.asUintN(256, sum + BigInt(`0x${hash.digest('hex')}`));
      count += 1;
    },
    value: () => `${count} ${sum.toString(16)}`,
  };
}

const shown = (value: CellValue | undefined): CellValue =>
  value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : (value ?? null);

/** Contents that were in the object store before the move are only looked for. */
async function compareBlobs(
  table: string,
  rows: readonly TableRow[],
  deps: CopyDeps,
  compared: Compared,
): Promise<void> {
  const names = rows.map(({ blob }) => blob).filter((blob) => typeof blob === 'string');
  const compareOne = async (name: string) => {
    const file = deps.source.blob(name);
    const moved = await deps.blobs.stream(name);
    if (!moved) {
      if (file) throw differs(`A large content of the table ${table}`);
      compared.lost += 1;
      return;
    }
    compared.blobs += 1;
    if (!file) moved.destroy();
    else if ((await hashOf(moved)) !== (await hashOf(createReadStream(file.path))))
      throw differs(`A large content of the table ${table}`);
  };
  for (let at = 0; at < names.length; at += BLOBS_AT_ONCE)
    await Promise.all(names.slice(at, at + BLOBS_AT_ONCE).map(compareOne));
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of stream) hash.update(part as Uint8Array);
  return hash.digest('hex');
}

const differs = (what: string) =>
  new DataFolderError(
    `${what} is not the same in the folder and in the database, so the move is not complete. If Trawl has used the folder since the move began, empty the database and begin again; else report this as a bug.`,
  );
