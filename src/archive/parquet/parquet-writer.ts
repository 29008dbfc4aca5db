// Writes a Parquet file row by row. Long texts are compressed page by page as they come, so that of a row group of 64 MB only the
// compressed pages are in memory, and no step of the work takes long.
import { zstdCompressSync } from 'node:zlib';
import type { ColumnChunk, SchemaElement } from 'hyparquet';
import { type ColumnEncoder, createPagedColumn, type LeafColumn, type PagedColumn } from './paged-column.ts';

export interface ParquetColumn {
  name: string;
  /** A time is a Date, a long a bigint, bytes a Uint8Array. A list has texts. Null and undefined are null in any of them. */
  type: 'text' | 'bytes' | 'integer' | 'long' | 'number' | 'boolean' | 'time' | 'list';
  /** Texts or bytes that are too long to hold those of a row group. */
  isLong?: boolean;
}

export interface ParquetWriter {
  /** What to write next, often nothing. It is made column by column while it is read, which has to be before the next row. */
  add(row: readonly unknown[]): Iterable<Uint8Array>;
  /** The rest of the file. */
  end(): Iterable<Uint8Array>;
}

export interface ParquetOptions {
  createdBy: string;
  groupBytes?: number;
  pageBytes?: number;
}

const GROUP_BYTES = 64 * 1024 ** 2;
const PAGE_BYTES = 512 * 1024;
const CODEC = 'ZSTD';

export async function createParquetWriter(
  columns: readonly ParquetColumn[],
  { createdBy, groupBytes = GROUP_BYTES, pageBytes = PAGE_BYTES }: ParquetOptions,
): Promise<ParquetWriter> {
  const { ByteWriter, Footer, writeColumn, encodeNestedValues, schemaPathResolver, writeDataPageV2 } =
    await loadTools();
  const schema: SchemaElement[] = [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
  const writer = new ByteWriter();
  const footer = new Footer({ writer, schema, codec: CODEC, createdBy });
  const pathTo = schemaPathResolver(schema);
  const leaves = columns.map(({ name }): LeafColumn => {
    const path = pathTo([name]);
    for (let [node] = path.at(-1)!.children; node; [node] = node.children) path.push(node);
    const encoder = encoderOf(
      path.map(({ element }) => element),
      pageBytes,
    );
    return { encoder, encode: (values) => encodeNestedValues(path, values) };
  });
  const tools = { ByteWriter, writeDataPageV2, pageBytes };
  /** A column is either paged or held until its group ends. */
  let paged: (PagedColumn | undefined)[] = [];
  let held: unknown[][] = [];
  let rows = 0;
  let bytes = 0;

  const begin = () => {
    paged = columns.map((column, at) =>
      column.isLong || column.type === 'list' ? createPagedColumn(leaves[at]!, tools) : undefined,
    );
    held = columns.map(() => []);
    rows = 0;
    bytes = 0;
  };

  const take = (): Uint8Array[] => {
    const written = writer.getBytes().slice();
    writer.index = 0;
    return written.byteLength > 0 ? [written] : [];
  };

  function* endGroup(): Generator<Uint8Array> {
    const start = writer.offset;
    const chunks: ColumnChunk[] = [];
    for (const [at, { encoder, encode }] of leaves.entries()) {
      const ended = paged[at]?.end(writer.offset);
      const written = ended?.written ?? writeColumn({ writer, column: encoder, pageData: encode(held[at] as []) });
      // The pages of a column pass by the buffer of the writer, which counts them.
      for (const { byteLength } of ended?.pages ?? []) writer.offset += byteLength;
      yield* take();
      yield* ended?.pages ?? [];
      footer.pendingIndexes.push(written);
      chunks.push(written.chunk);
    }
    const sizes = chunks.map(({ meta_data }) => meta_data!.total_uncompressed_size);
    footer.num_rows += BigInt(rows);
    footer.row_groups.push({
      columns: chunks,
      total_byte_size: sizes.reduce((sum, size) => sum + size, 0n),
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - start),
    });
    begin();
  }

  begin();
  return {
    add(row) {
      for (const [at, value] of row.entries()) {
        const stored = value ?? undefined;
        bytes += sizeOf(stored);
        if (paged[at]) paged[at].add(stored, sizeOf(stored));
        else held[at]!.push(stored);
      }
      rows += 1;
      return bytes >= groupBytes ? endGroup() : [];
    },
    *end() {
      if (rows > 0) yield* endGroup();
      footer.finish();
      yield* take();
    },
  };
}

/** Nothing else needs them, so an idle service does without. */
async function loadTools() {
  const [{ ByteWriter, ParquetWriter: Footer }, ...rooms] = await Promise.all([
    import('hyparquet-writer'),
    import('hyparquet-writer/src/column.js'),
    import('hyparquet-writer/src/dremel.js'),
    import('hyparquet-writer/src/schema.js'),
    import('hyparquet-writer/src/datapage.js'),
  ]);
  const [{ writeColumn }, { encodeNestedValues }, { schemaPathResolver }, { writeDataPageV2 }] = rooms;
  return { ByteWriter, Footer, writeColumn, encodeNestedValues, schemaPathResolver, writeDataPageV2 };
}

const encoderOf = (elements: SchemaElement[], pageSize: number): ColumnEncoder => ({
  columnName: elements
    .slice(1)
    .map(({ name }) => name)
    .join('.'),
  element: elements.at(-1)!,
  schemaPath: elements,
  codec: CODEC,
  compressors: { [CODEC]: (bytes) => zstdCompressSync(bytes) },
  stats: true,
  pageSize,
  columnIndex: false,
  offsetIndex: true,
});

const PLAIN_TYPES: Partial<Record<ParquetColumn['type'], SchemaElement['type']>> = {
  ...{ bytes: 'BYTE_ARRAY', integer: 'INT32', long: 'INT64', number: 'DOUBLE', boolean: 'BOOLEAN' },
};

function elementsOf({ name, type }: ParquetColumn): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
  const plain = PLAIN_TYPES[type];
  if (plain) return [{ ...optional, type: plain }];
  if (type === 'text') return [{ ...optional, ...text }];
  if (type === 'time') {
    const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const;
    return [{ ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', logical_type }];
  }
  return [
    { ...optional, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...text },
  ];
}

/** Characters, where a few bytes more or less do not matter. Even an empty text has its place in a list. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length + 8;
  return Array.isArray(value) ? value.reduce((sum: number, text: string) => sum + text.length, 0) : 8;
}
