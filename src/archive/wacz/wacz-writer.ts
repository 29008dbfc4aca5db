// Writes a WACZ file (1.1.1): a ZIP of web archives, their index, the list of pages, and what all of them are.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { DeflatedFile } from '../zip-writer.ts';
import { createZipWriter } from '../zip-writer.ts';
import { type CompressedIndex, INDEX_FILE } from './cdx.ts';

/** A web archive within the file; its bytes are read when it is its turn. */
export interface ArchiveFile {
  name: string;
  size: number;
  crc: number;
  /** SHA-256 as hexadecimal digits. */
  hash: string;
  read(): AsyncIterable<Uint8Array>;
}

export interface WaczContent {
  title: string;
  createdAt: Date;
  software: string;
  files: readonly ArchiveFile[];
  index: CompressedIndex;
  /** JSON lines, the first of which says so. */
  pages: DeflatedFile & { hash: string };
  /** Further facts for `datapackage.json`. */
  facts?: Readonly<Record<string, unknown>>;
}

interface Resource {
  name: string;
  path: string;
  hash: string;
  bytes: number;
}

const VERSION = '1.1.1';
export const PAGES_HEADER = `${JSON.stringify({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages' })}\n`;

export async function* writeWacz(content: WaczContent): AsyncGenerator<Uint8Array> {
  const { title, createdAt, software, files, index, pages, facts } = content;
  const zip = createZipWriter(createdAt);
  const resources: Resource[] = [];
  const list = (path: string, bytes: number, hash: string) =>
    resources.push({ name: path.slice(path.lastIndexOf('/') + 1), path, hash: `sha256:${hash}`, bytes });

  for (const { name, size, crc, hash, read } of files) {
    const path = `archive/${name}`;
    list(path, size, hash);
    yield* zip.beginStored(path, { size, crc });
    yield* read();
  }
  for (const [name, chunks] of [
    [INDEX_FILE, index.blocks],
    ['index.idx', [Buffer.from(index.list)]],
  ] as const) {
    const path = `indexes/${name}`;
    const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    list(path, size, sha256Of(chunks));
    yield* zip.beginStored(path, { size, crc: chunks.reduce((crc, chunk) => crc32(chunk, crc), 0) });
    yield* chunks;
  }
  list('pages/pages.jsonl', pages.size, pages.hash);
  yield* zip.addDeflated('pages/pages.jsonl', pages);
  const datapackage = JSON.stringify(
    {
      ...{ profile: 'data-package', wacz_version: VERSION, title, created: createdAt.toISOString(), software },
      ...facts,
      resources,
    },
    undefined,
    2,
  );
  yield* await zip.add('datapackage.json', datapackage);
  const digest = { path: 'datapackage.json', hash: `sha256:${sha256Of([Buffer.from(datapackage)])}` };
  yield* await zip.add('datapackage-digest.json', JSON.stringify(digest, undefined, 2));
  yield* zip.end();
}

function sha256Of(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
