// A list of URLs from a file or from standard input, one a line. Lists may be longer than memory or a request: they are read
// in slices, each of which one request can carry.
import { createReadStream } from 'node:fs';
import { MAX_URL_LENGTH } from '../../contracts/bounds.ts';
import { UsageError } from '../usage-error.ts';

/** Far below what a request may have, so that work begins before a long list is read. */
const SLICE_URLS = 10_000;
const SLICE_BYTES = 2 * 1024 * 1024;
/** Duplicates are recognised among as many URLs as fit in memory easily. */
const MAX_REMEMBERED = 500_000;

interface UrlSource {
  /** For errors: a file name, or `standard input`. */
  name: string;
  chunks: AsyncIterable<Buffer | string>;
}

export const fileSource = (path: string): UrlSource =>
  path === '-' ? { name: 'standard input', chunks: process.stdin } : { name: path, chunks: createReadStream(path) };

/** Removes duplicates. Throws UsageError for a file that cannot be read or is not a list. */
export async function* urlSlices(urls: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[]> {
  const seen = new Set<string>();
  let slice: string[] = [];
  let bytes = 0;
  for await (const url of urls) {
    if (seen.has(url)) continue;
    if (seen.size < MAX_REMEMBERED) seen.add(url);
    slice.push(url);
    bytes += Buffer.byteLength(url) + 3;
    if (slice.length < SLICE_URLS && bytes < SLICE_BYTES) continue;
    yield slice;
    slice = [];
    bytes = 0;
  }
  if (slice.length > 0) yield slice;
}

/** The lines that are not empty and no comments. */
export async function* listedUrls({ name, chunks }: UrlSource): AsyncGenerator<string> {
  let number = 0;
  for await (const line of lines({ name, chunks })) {
    number += 1;
    const url = line.replace(/^\uFEFF/, '').trim();
    if (url === '' || url.startsWith('#')) continue;
    if (/[\0-\x08]/.test(url)) throw new UsageError(`${name} is not a list of URLs: line ${number} is not text.`);
    yield url;
  }
}

async function* lines({ name, chunks }: UrlSource): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of readable({ name, chunks })) {
    const parts = `${rest}${typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })}`.split('\n');
    if (parts.some(({ length }) => length > MAX_URL_LENGTH)) {
      throw new UsageError(`${name} is not a list of URLs: a line has more than ${MAX_URL_LENGTH} characters.`);
    }
    rest = parts.pop()!;
    yield* parts;
  }
  yield rest + decoder.decode();
}

async function* readable({ name, chunks }: UrlSource): AsyncGenerator<Buffer | string> {
  try {
    yield* chunks;
  } catch (error) {
    throw new UsageError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
