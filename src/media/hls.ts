// From an HLS playlist to the tracks that are wanted of it: the best picture with its sound, or the sound alone.
import type { MediaFormat } from '../contracts/media.ts';
import { type HlsPlaylist, readHls, type Variant } from './hls-playlist.ts';
import { unusable } from './refusals.ts';
import type { Track } from './tracks.ts';

/** Reads a playlist that another one names. */
export type ReadPlaylist = (url: string) => Promise<{ url: string; text: string }>;

/** Below it, the sound of a stream with pictures is of the poorest kind. */
const DECENT_BANDWIDTH = 500_000;

export async function hlsTracks(
  text: string,
  url: string,
  format: MediaFormat,
  readPlaylist: ReadPlaylist,
): Promise<Track[]> {
  const playlist = readHls(text, url);
  if (playlist.kind === 'media') return [playlist.track];
  const addresses = chooseStreams(playlist, format);
  const tracks: Track[] = [];
  for (const address of addresses) {
    const found = await readPlaylist(address);
    const inner = readHls(found.text, found.url);
    if (inner.kind === 'master') throw unusable('The playlist leads to one that leads on.');
    tracks.push(inner.track);
  }
  return tracks;
}

/** The addresses of one or two media playlists. */
export function chooseStreams(
  { variants, audio }: Extract<HlsPlaylist, { kind: 'master' }>,
  format: MediaFormat,
): string[] {
  const soundOf = ({ audio: group }: Variant) => {
    const renditions = audio.filter((rendition) => rendition.group === group);
    return (renditions.find(({ isDefault }) => isDefault) ?? renditions[0])?.url;
  };
  const ranked = [...variants].sort((a, b) => b.pixels - a.pixels || b.bandwidth - a.bandwidth);
  const best = ranked.find((variant) => !isSoundOnly(variant)) ?? ranked[0]!;
  if (format === 'video') {
    const sound = soundOf(best);
    return sound === undefined || sound === best.url ? [best.url] : [best.url, sound];
  }
  const soundOnly = ranked.find(isSoundOnly);
  if (soundOnly) return [soundOnly.url];
  const apart = soundOf(best);
  if (apart !== undefined) return [apart];
  // The pictures are fetched for nothing: the fewer the better.
  return [(ranked.findLast(({ bandwidth }) => bandwidth >= DECENT_BANDWIDTH) ?? best).url];
}

const isSoundOnly = ({ pixels, codecs }: Variant): boolean =>
  pixels === 0 &&
  codecs !== '' &&
  codecs.split(',').every((codec) => /^\s*(?:mp4a|ac-3|ec-3|opus|flac|mp3)/i.test(codec));
