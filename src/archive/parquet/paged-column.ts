// A column of a row group whose values are compressed as they come: a page is encoded once it has its size, and only its bytes are
// kept until the group is written.
import type { ByteWriter as Bytes } from 'hyparquet-writer';
import type { writeColumn } from 'hyparquet-writer/src/column.js';
import type { writeDataPageV2 as writePage } from 'hyparquet-writer/src/datapage.js';

type ColumnToWrite = Parameters<typeof writeColumn>[0];
export type ColumnEncoder = ColumnToWrite['column'];

export interface LeafColumn {
  encoder: ColumnEncoder;
  /** The values of rows with their levels. */
  encode(values: unknown[]): ColumnToWrite['pageData'];
}

export type WrittenColumn = ReturnType<typeof writeColumn>;

export interface PagedColumn {
  add(value: unknown, size: number): void;
  /** Ends the column, which begins there in the file: its pages are written one after the other. */
  end(start: number): { written: WrittenColumn; pages: Uint8Array[] };
}

interface Tools {
  ByteWriter: typeof Bytes;
  writeDataPageV2: typeof writePage;
  pageBytes: number;
}

interface Page {
  bytes: Uint8Array;
  rows: number;
}

const ENCODING = 'PLAIN';

export function createPagedColumn(
  { encoder, encode }: LeafColumn,
  { ByteWriter, writeDataPageV2, pageBytes }: Tools,
): PagedColumn {
  const pages: Page[] = [];
  let waiting: unknown[] = [];
  let size = 0;
  let values = 0;
  let nulls = 0;
  let uncompressed = 0;

  const endPage = () => {
    const pageData = encode(waiting);
    const isValue = (value: unknown) => value !== null && value !== undefined;
    const bytes = (pageData.values as unknown[]).map((text) =>
      isValue(text) ? Buffer.from(text as string) : undefined,
    );
    const writer = new ByteWriter();
    uncompressed += writeDataPageV2({
      ...{ writer, column: encoder, encoding: ENCODING },
      pageData: { ...pageData, values: bytes },
    });
    pages.push({ bytes: writer.getBytes().slice(), rows: waiting.length });
    values += bytes.length;
    nulls += bytes.filter((text) => text === undefined).length;
    waiting = [];
    size = 0;
  };

  const end: PagedColumn['end'] = (start) => {
    if (waiting.length > 0) endPage();
    let offset = start;
    let firstRow = 0;
    const locations = pages.map(({ bytes, rows }) => {
      const location = {
        offset: BigInt(offset),
        compressed_page_size: bytes.byteLength,
        first_row_index: BigInt(firstRow),
      };
      offset += bytes.byteLength;
      firstRow += rows;
      return location;
    });
    const { element, schemaPath, codec } = encoder;
    const written: WrittenColumn = {
      chunk: {
        meta_data: {
          type: element.type!,
          encodings: [ENCODING],
          path_in_schema: schemaPath.slice(1).map(({ name }) => name),
          codec,
          num_values: BigInt(values),
          total_compressed_size: BigInt(offset - start),
          total_uncompressed_size: BigInt(uncompressed),
          data_page_offset: BigInt(start),
          statistics: { null_count: BigInt(nulls) },
          encoding_stats: [{ page_type: 'DATA_PAGE_V2', encoding: ENCODING, count: pages.length }],
        },
        file_offset: BigInt(start),
      },
      offsetIndex: { page_locations: locations },
    };
    return { written, pages: pages.map(({ bytes }) => bytes) };
  };

  return {
    add(value, bytes) {
      waiting.push(value);
      size += bytes;
      if (size >= pageBytes) endPage();
    },
    end,
  };
}
