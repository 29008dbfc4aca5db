// All labelled pages as one matrix of block features with labels, optionally cached in a file between runs.
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { BlockTable } from '../../src/transform/main-content/blocks/block-table.ts';
import { FEATURES } from '../../src/transform/main-content/features/features.ts';
import { type LabelledPage, readSet } from '../labelled/pages.ts';
import { SETS, type SetName } from './data.ts';
import { domainOf } from './folds.ts';
import { labelBlocks, labelBySnippets } from './labels.ts';
import { createMatrix, type Matrix } from './matrix.ts';
import { describePage } from './page-blocks.ts';
import { countWords } from './tokens.ts';

export interface ExamplePage extends BlockTable {
  readonly set: SetName;
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly domain: string;
  /** Empty if only snippets are known. */
  readonly truth: string;
  readonly truthWords: number;
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
  /** Its blocks are rows [firstRow, firstRow + texts.length) of the matrix. */
  readonly firstRow: number;
  readonly texts: readonly string[];
  readonly labels: Int8Array;
  readonly page: Float32Array;
}

export interface Examples {
  readonly pages: readonly ExamplePage[];
  readonly blocks: Matrix;
}

export function loadExamples(folder: string, cacheFolder: string | undefined): Examples {
  const file = cacheFolder && join(cacheFolder, `${cacheKey(folder)}.examples`);
  if (file && existsSync(file)) return readCache(file);
  const examples = collectExamples(folder);
  if (file) {
    mkdirSync(cacheFolder, { recursive: true });
    writeCache(file, examples);
  }
  return examples;
}

function collectExamples(folder: string): Examples {
  const pages: ExamplePage[] = [];
  const parts: Float32Array[] = [];
  let rows = 0;
  for (const set of SETS) {
    for (const labelled of readSet(folder, set)) {
      const { features, ...described } = describePage(labelled.html, labelled.url);
      pages.push({ ...labelsOf(labelled, described.texts), ...described, firstRow: rows });
      parts.push(features);
      rows += described.texts.length;
    }
  }
  const blocks = createMatrix(rows, FEATURES.length);
  let at = 0;
  for (const part of parts) {
    blocks.values.set(part, at);
    at += part.length;
  }
  return { pages, blocks };
}

function labelsOf(labelled: LabelledPage<SetName>, texts: readonly string[]) {
  const { set, id, type, url, truth, with: wanted, without: unwanted } = labelled;
  return {
    set,
    id,
    type,
    url,
    domain: domainOf(url, id),
    truth,
    truthWords: countWords(truth),
    wanted,
    unwanted,
    labels: truth ? labelBlocks(texts, truth).labels : labelBySnippets(texts, wanted, unwanted),
  };
}

/** Depends on the code that makes blocks, features and labels, and on the data. */
function cacheKey(folder: string): string {
  const root = join(import.meta.dirname, '../..');
  const code = [
    'src/markup/html/**/*.ts',
    'src/transform/main-content/{blocks,features}/**/*.ts',
    'scripts/train-extractor/{align,data,examples,labels,page-blocks,tokens}.ts',
  ];
  const hash = createHash('sha256');
  for (const file of globSync(code, { cwd: root }).sort()) hash.update(readFileSync(join(root, file)));
  for (const set of SETS) hash.update(`${set} ${statSync(join(folder, `${set}.jsonl.br`)).size}`);
  return hash.digest('hex').slice(0, 16);
}

// File format: the length of the pages in 8 bytes, the pages, then the matrix as it is in memory.
function writeCache(file: string, { pages, blocks }: Examples): void {
  const head = serialize({ pages, rows: blocks.rows, columns: blocks.columns });
  const length = Buffer.alloc(8);
  length.writeDoubleLE(head.length);
  const handle = openSync(file, 'w');
  for (const part of [length, head, bytesOf(blocks)]) writeFully(handle, part);
  closeSync(handle);
}

function readCache(file: string): Examples {
  const handle = openSync(file, 'r');
  const length = Buffer.alloc(8);
  readFully(handle, length);
  const head = Buffer.alloc(length.readDoubleLE());
  readFully(handle, head);
  const { pages, rows, columns } = deserialize(head);
  const blocks = createMatrix(rows, columns);
  readFully(handle, bytesOf(blocks));
  closeSync(handle);
  return { pages, blocks };
}

const bytesOf = ({ values }: Matrix): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

// One system call transfers at most 2 GB.
function writeFully(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
}

function readFully(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    const count = readSync(handle, bytes, at, bytes.length - at, null);
    if (count === 0) throw new Error('The file of cached examples is truncated; delete it and run again.');
    at += count;
  }
}
