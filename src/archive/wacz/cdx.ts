// The index of a WACZ file: lines of JSON in the order of their keys, compressed in blocks, and an index of the blocks.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import { DEFLATE_LEVEL } from '../zip-writer.ts';

export interface IndexedRecord {
  key: string;
  at: number;
  url: string;
  status: number;
  mime: string;
  /** With the name of its hash. */
  digest: string;
  /** The file, and where its record is in it. */
  file: string;
  offset: number;
  length: number;
}

export interface CompressedIndex {
  /** `index.cdx.gz` */
  blocks: Uint8Array[];
  /** `index.idx` */
  list: string;
}

export const INDEX_FILE = 'index.cdx.gz';
const BLOCK_LINES = 1_024;
const HEADER = `!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename: INDEX_FILE })}\n`;
const compress = promisify<Uint8Array, ZlibOptions, Buffer>(gzip);

export async function compressIndex(records: AsyncIterable<IndexedRecord>): Promise<CompressedIndex> {
  const blocks: Uint8Array[] = [];
  let list = HEADER;
  let lines: string[] = [];
  let first = '';
  let offset = 0;
  const flush = async () => {
    if (lines.length === 0) return;
    const block = await compress(Buffer.from(lines.join('')), { level: DEFLATE_LEVEL });
    const digest = `sha256:${createHash('sha256').update(block).digest('hex')}`;
    list += `${first} ${JSON.stringify({ offset, length: block.byteLength, digest })}\n`;
    blocks.push(block);
    offset += block.byteLength;
    lines = [];
  };
  for await (const record of records) {
    const start = `${record.key} ${timestamp(record.at)}`;
    if (lines.length === 0) first = start;
    lines.push(`${start} ${lineOf(record)}\n`);
    if (lines.length === BLOCK_LINES) await flush();
  }
  await flush();
  return { blocks, list };
}

const lineOf = ({ url, mime, status, digest, length, offset, file }: IndexedRecord): string =>
  JSON.stringify({
    ...{ url, mime: mime || 'unk', status: String(status), digest },
    ...{ length: String(length), offset: String(offset), filename: file },
  });

/** Year to second, without anything between. */
const timestamp = (at: number): string => new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);
