// Selects the tracks of an HLS playlist: the best video with its audio, or audio only.
import type { MediaFormat } from '../../page/media.ts';
import type { Track } from '../download/tracks.ts';
import { unusable } from '../refusals.ts';
import { type HlsPlaylist, readHls, type Variant } from './hls-playlist.ts';

/** Fetches a playlist that a master playlist refers to. */
export type ReadPlaylist = (url: string) => Promise<{ url: string; text: string }>;

/** Below this, the audio of a video stream is poor. */
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
    if (inner.kind === 'master') throw unusable('The playlist nests master playlists, which is not supported.');
    tracks.push(inner.track);
  }
  return tracks;
}

/** The addresses of one or two media playlists. */
export function chooseStreams(
  { variants, audio }: Extract<HlsPlaylist, { kind: 'master' }>,
  format: MediaFormat,
): string[] {
  const audioOf = ({ audio: group }: Variant) => {
    const renditions = audio.filter((rendition) => rendition.group === group);
    return (renditions.find(({ isDefault }) => isDefault) ?? renditions[0])?.url;
  };
  const ranked = [...variants].sort((a, b) => b.pixels - a.pixels || b.bandwidth - a.bandwidth);
  const best = ranked.find((variant) => !isAudioOnly(variant)) ?? ranked[0]!;
  if (format === 'video') {
    const separate = audioOf(best);
    return separate === undefined || separate === best.url ? [best.url] : [best.url, separate];
  }
  const audioOnly = ranked.find(isAudioOnly);
  if (audioOnly) return [audioOnly.url];
  const separate = audioOf(best);
  if (separate !== undefined) return [separate];
  // The video is fetched only for its audio, so the smallest decent stream is best.
  return [(ranked.findLast(({ bandwidth }) => bandwidth >= DECENT_BANDWIDTH) ?? best).url];
}

const isAudioOnly = ({ pixels, codecs }: Variant): boolean =>
  pixels === 0 &&
  codecs !== '' &&
  codecs.split(',').every((codec) => /^\s*(?:mp4a|ac-3|ec-3|opus|flac|mp3)/i.test(codec));
