// Fetches tracks: sequences of segments that play from start to end. Segments are fetched a few at a time and joined in
// order. A new part starts where the timestamps or the codec change.
import { createDecipheriv } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Container, containerOf, HEAD_BYTES } from '../../markup/media-container.ts';
import { isRetryable } from '../../net/wire-failure.ts';
import { accessDenied, tooLarge, unusable } from '../refusals.ts';
import { type Downloads, readAll, type Slice } from './downloads.ts';

export interface SegmentKey {
  url: string;
  iv: Uint8Array;
}

export interface MediaSegment {
  url: string;
  slice?: Slice;
  /** AES-128-CBC, each segment separately. */
  key?: SegmentKey;
}

/** The first segment of a part may be an init segment. */
export interface Track {
  parts: MediaSegment[][];
}

/** A file in the work folder that ffmpeg reads with the demuxer of its container. */
export interface MediaInput {
  path: string;
  container: Container;
}

/** Enough for a long film in short segments. */
export const MAX_SEGMENTS = 20_000;
const PARALLEL = 4;
const ATTEMPTS = 3;
const KEY_BYTES = 16;
const MAX_KEY_FILE = 1024;

export function checkSegments(count: number): void {
  if (count > MAX_SEGMENTS) throw tooLarge();
}

interface TrackDeps {
  downloads: Downloads;
  folder: string;
}

/** Returns one file per part. */
export async function fetchTrack(
  deps: TrackDeps,
  { parts }: Track,
  name: string,
  signal: AbortSignal,
): Promise<MediaInput[]> {
  checkSegments(parts.reduce((count, part) => count + part.length, 0));
  const keys = createKeys(deps.downloads, signal);
  const inputs: MediaInput[] = [];
  for (const [index, segments] of parts.entries()) {
    const path = join(deps.folder, `${name}-${index}`);
    await joinSegments(deps, segments, path, keys, signal);
    const container = containerOf(await readHead(path));
    if (container === undefined || container === 'hls' || container === 'dash') {
      throw unusable('The segments of the playlist are not audio or video in a supported format.');
    }
    inputs.push({ path, container });
  }
  if (inputs.length === 0) throw unusable('The playlist has no segments.');
  return inputs;
}

/** `a+` creates the file: nothing was written if all segments are empty. */
async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'a+');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

type Keys = (url: string) => Promise<Uint8Array>;

async function joinSegments(
  { downloads, folder }: TrackDeps,
  segments: readonly MediaSegment[],
  path: string,
  keys: Keys,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const fetchOne = async (segment: MediaSegment, index: number): Promise<string> => {
    const file = join(folder, `segment-${index % (2 * PARALLEL)}`);
    await withAttempts(() => fetchSegment(downloads, segment, file, keys, stop));
    return file;
  };
  const waiting: Promise<string>[] = [];
  try {
    for (let next = 0; next < segments.length || waiting.length > 0; ) {
      while (next < segments.length && waiting.length < PARALLEL) {
        const fetched = fetchOne(segments[next]!, next++);
        // It may fail before it is awaited.
        fetched.catch(() => {});
        waiting.push(fetched);
      }
      const file = await waiting.shift()!;
      await pipeline(createReadStream(file), createWriteStream(path, { flags: 'a', mode: 0o600 }), { signal });
      await rm(file);
    }
  } finally {
    failed.abort();
    await Promise.allSettled(waiting);
  }
}

async function fetchSegment(
  downloads: Downloads,
  { url, slice, key }: MediaSegment,
  file: string,
  keys: Keys,
  signal: AbortSignal,
): Promise<void> {
  const secret = key && (await keys(key.url));
  const { all, drop } = await downloads.open(url, slice, signal);
  const target = createWriteStream(file, { mode: 0o600 });
  try {
    if (!key || !secret) await pipeline(all, target, { signal });
    else await pipeline(all, createDecipheriv('aes-128-cbc', secret, key.iv), target, { signal });
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('ERR_OSSL')) throw error;
    throw accessDenied('The media is encrypted, and the key in the playlist does not match.');
  } finally {
    drop();
  }
}

/** Fetches each key once. */
function createKeys(downloads: Downloads, signal: AbortSignal): Keys {
  const known = new Map<string, Promise<Uint8Array>>();
  const load = async (url: string) => {
    const bytes = await readAll(await downloads.open(url, undefined, signal), MAX_KEY_FILE);
    if (bytes.length !== KEY_BYTES)
      throw accessDenied('The media is encrypted, and the site does not provide the key.');
    return bytes;
  };
  return (url) => {
    const key = known.get(url) ?? load(url);
    known.set(url, key);
    return key;
  };
}

async function withAttempts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS - 1; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error;
    }
  }
}
