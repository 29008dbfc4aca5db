// Fetches one media address into the work folder: a file as it is, or the tracks of a playlist.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Container, containerOf, type Playlist } from '../../markup/media-container.ts';
import { parseXml } from '../../markup/xml/parse-xml.ts';
import { XmlError } from '../../markup/xml/xml-error.ts';
import type { XmlElement } from '../../markup/xml/xml-tree.ts';
import type { MediaFormat } from '../../page/media.ts';
import { dashTracks } from '../dash/dash.ts';
import { hlsTracks } from '../hls/hls.ts';
import { unusable } from '../refusals.ts';
import { joinParts } from '../tools/convert.ts';
import type { Ffmpeg } from '../tools/ffmpeg.ts';
import { type Downloads, type MediaDownload, mediaUrl, readAll } from './downloads.ts';
import { fetchTrack, type MediaInput, type Track } from './tracks.ts';

export interface FetchMediaDeps {
  downloads: Downloads;
  ffmpeg: Ffmpeg;
  now(): number;
  folder: string;
  /** Called with what the address turned out to be. */
  onKind?(kind: 'file' | Playlist): void;
}

export interface MediaAddress {
  url: string;
  /** Fetch these instead of the address. */
  segments?: readonly string[];
  /** Request this many bytes at a time, because the site throttles larger requests. */
  chunkBytes?: number;
}

const MAX_PLAYLIST = 10 * 1024 * 1024;

/** Returns one file, or two if video and audio are separate. `name` distinguishes the files of several addresses. */
export async function fetchMedia(
  deps: FetchMediaDeps,
  { url, segments, chunkBytes }: MediaAddress,
  format: MediaFormat,
  name: string,
  signal: AbortSignal,
): Promise<MediaInput[]> {
  const { downloads, folder, onKind } = deps;
  if (segments) {
    const parts = [segments.map((segment) => ({ url: mediaUrl(segment, url) }))];
    return fetchTracks(deps, [{ parts }], name, signal);
  }
  const first = await downloads.open(url, chunkBytes ? { start: 0, length: chunkBytes } : undefined, signal);
  const kind = containerOf(first.head);
  if (kind === 'hls' || kind === 'dash') {
    onKind?.(kind);
    return fetchTracks(deps, await playlistTracks(deps, first, kind, format, signal), name, signal);
  }
  if (kind === undefined) {
    first.drop();
    throw unusable('The address is not audio or video in a supported format.');
  }
  onKind?.('file');
  const path = join(folder, name);
  await writeAll(first, path, signal);
  if (chunkBytes) await fetchRest(downloads, first, { url, chunkBytes }, path, signal);
  return [{ path, container: kind satisfies Container }];
}

async function playlistTracks(
  { downloads, now }: FetchMediaDeps,
  download: MediaDownload,
  kind: Playlist,
  format: MediaFormat,
  signal: AbortSignal,
): Promise<Track[]> {
  const bytes = await readAll(download, MAX_PLAYLIST);
  if (kind === 'hls') {
    return hlsTracks(bytes.toString(), download.url, format, async (address) => {
      const inner = await downloads.open(address, undefined, signal);
      return { url: inner.url, text: (await readAll(inner, MAX_PLAYLIST)).toString() };
    });
  }
  return dashTracks(manifestRoot(bytes), download.url, format, now());
}

function manifestRoot(bytes: Uint8Array): XmlElement {
  try {
    return parseXml(bytes);
  } catch (error) {
    if (error instanceof XmlError) throw unusable('The manifest is not readable XML.', error);
    throw error;
  }
}

async function fetchTracks(
  deps: FetchMediaDeps,
  tracks: readonly Track[],
  name: string,
  signal: AbortSignal,
): Promise<MediaInput[]> {
  const inputs: MediaInput[] = [];
  for (const [index, track] of tracks.entries()) {
    const parts = await fetchTrack(deps, track, `${name}-${index}`, signal);
    inputs.push(await joinParts(deps.ffmpeg, parts, signal));
  }
  return inputs;
}

const writeAll = ({ all, drop }: MediaDownload, path: string, signal: AbortSignal): Promise<void> =>
  pipeline(all, createWriteStream(path, { flags: 'a', mode: 0o600 }), { signal }).finally(drop);

/** Fetches everything after the first chunk: in chunks, or at once if the site does not support ranges. */
async function fetchRest(
  downloads: Downloads,
  { total }: MediaDownload,
  { url, chunkBytes }: { url: string; chunkBytes: number },
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const end = total ?? Number.MAX_SAFE_INTEGER;
  const length = total === undefined ? end - chunkBytes : chunkBytes;
  for (let start = chunkBytes; start < end; start += length) {
    await writeAll(await downloads.open(url, { start, length: Math.min(length, end - start) }, signal), path, signal);
  }
}
