// A track is what plays from beginning to end, cut into segments. Its segments are fetched a few at a time, and joined in
// order; where the timing or the codec begins anew, a new part begins.
import { createDecipheriv } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isRetryable } from '../net/wire-failure.ts';
import { type Container, containerOf, HEAD_BYTES } from './container.ts';
import { type Downloads, readAll, type Slice } from './downloads.ts';
import { accessDenied, tooLarge, unusable } from './refusals.ts';

export interface SegmentKey {
  url: string;
  iv: Uint8Array;
}

export interface Segment {
  url: string;
  slice?: Slice;
  /** AES-128 in CBC, each segment by itself. */
  key?: SegmentKey;
}

/** Parts of segments; the first of a part may be its head (an init segment). */
export interface Track {
  parts: Segment[][];
}

/** A file in the work folder that ffmpeg may read with the demuxer of its container. */
export interface MediaInput {
  path: string;
  container: Container;
}

/** A long film in short segments; an endless list is none. */
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

/** One file for each part. */
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
      throw unusable('The segments of the playlist are no audio or video that is understood here.');
    }
    inputs.push({ path, container });
  }
  if (inputs.length === 0) throw unusable('The playlist has no segments.');
  return inputs;
}

/** Nothing may have been written, if all segments are empty. */
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
  segments: readonly Segment[],
  path: string,
  keys: Keys,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const fetchOne = async (segment: Segment, index: number): Promise<string> => {
    const file = join(folder, `segment-${index % (2 * PARALLEL)}`);
    await withAttempts(() => fetchSegment(downloads, segment, file, keys, stop));
    return file;
  };
  const waiting: Promise<string>[] = [];
  try {
    for (let next = 0; next < segments.length || waiting.length > 0; ) {
      while (next < segments.length && waiting.length < PARALLEL) {
        const fetched = fetchOne(segments[next]!, next++);
        // It may fail before its turn comes.
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
  { url, slice, key }: Segment,
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
    throw accessDenied('The media are encrypted, and the key that the playlist names does not fit.');
  } finally {
    drop();
  }
}

/** Each key is asked for once. */
function createKeys(downloads: Downloads, signal: AbortSignal): Keys {
  const known = new Map<string, Promise<Uint8Array>>();
  const load = async (url: string) => {
    const bytes = await readAll(await downloads.open(url, undefined, signal), MAX_KEY_FILE);
    if (bytes.length !== KEY_BYTES) throw accessDenied('The media are encrypted, and the site gives no key for them.');
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
