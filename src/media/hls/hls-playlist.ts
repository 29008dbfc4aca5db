// Parses HLS playlists (RFC 8216): variants and renditions of a master playlist, segments of a media playlist.
import { mediaUrl, type Slice } from '../download/downloads.ts';
import { checkSegments, type MediaSegment, type SegmentKey, type Track } from '../download/tracks.ts';
import { accessDenied, unusable } from '../refusals.ts';

export interface Variant {
  url: string;
  bandwidth: number;
  /** Width times height; 0 if unknown. */
  pixels: number;
  codecs: string;
  /** The rendition group with its audio, if that is separate. */
  audio?: string;
}

export interface Rendition {
  group: string;
  url: string;
  isDefault: boolean;
}

export type HlsPlaylist = { kind: 'master'; variants: Variant[]; audio: Rendition[] } | { kind: 'media'; track: Track };

type Attributes = Record<string, string>;

const MAX_VARIANTS = 500;
/** NAME=value or NAME="value", separated by commas. */
const ATTRIBUTE = /([A-Z0-9-]{1,40})=("[^"]*"|[^",]*)/g;

export function readHls(text: string, url: string): HlsPlaylist {
  if (!/^\ufeff?\s*#EXTM3U/.test(text)) throw unusable('A file that a playlist refers to is not a playlist.');
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const isMaster = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'));
  return isMaster ? readMaster(lines, url) : { kind: 'media', track: readSegments(lines, url) };
}

function readMaster(lines: readonly string[], base: string): HlsPlaylist {
  const variants: Variant[] = [];
  const audio: Rendition[] = [];
  let next: Attributes | undefined;
  for (const line of lines) {
    if (variants.length + audio.length > MAX_VARIANTS) break;
    const [tag, value] = tagOf(line);
    if (tag === '#EXT-X-STREAM-INF') next = readAttributes(value);
    else if (tag === '#EXT-X-MEDIA') {
      const { TYPE, URI, 'GROUP-ID': group = '', DEFAULT } = readAttributes(value);
      if (TYPE === 'AUDIO' && URI) audio.push({ group, url: mediaUrl(URI, base), isDefault: DEFAULT === 'YES' });
    } else if (next && line !== '' && !line.startsWith('#')) {
      variants.push(variantOf(next, mediaUrl(line, base)));
      next = undefined;
    }
  }
  if (variants.length === 0) throw unusable('The playlist contains no streams.');
  return { kind: 'master', variants, audio };
}

function variantOf({ BANDWIDTH, RESOLUTION = '', CODECS = '', AUDIO }: Attributes, url: string): Variant {
  const [width = 0, height = 0] = RESOLUTION.split('x').map(Number);
  return {
    url,
    bandwidth: Number(BANDWIDTH) || 0,
    pixels: width * height || 0,
    codecs: CODECS,
    ...(AUDIO !== undefined && { audio: AUDIO }),
  };
}

/** Tags that apply to the segments after them. */
interface State {
  sequence: number;
  slice?: string;
  /** Where the last slice of each file ended. */
  ends: Map<string, number>;
  key?: Attributes;
  map?: MediaSegment;
  isGap: boolean;
  /** The next segment starts a new part. */
  isNew: boolean;
}

/** Reads only the current segments of a live playlist. */
function readSegments(lines: readonly string[], base: string): Track {
  const state: State = { sequence: 0, ends: new Map(), isGap: false, isNew: true };
  const parts: MediaSegment[][] = [];
  let count = 0;
  for (const line of lines) {
    if (line.startsWith('#')) readTag(line, state, base);
    else if (line !== '') {
      checkSegments(++count);
      const url = mediaUrl(line, base);
      const segment = { url, slice: sliceOf(state, url), key: keyOf(state.key, state.sequence, base) };
      state.sequence += 1;
      state.slice = undefined;
      if (state.isGap) {
        state.isGap = false;
        continue;
      }
      if (state.isNew) parts.push(state.map ? [state.map] : []);
      state.isNew = false;
      parts.at(-1)!.push(segment);
    }
  }
  return { parts };
}

function readTag(line: string, state: State, base: string): void {
  const [tag, value] = tagOf(line);
  switch (tag) {
    case '#EXT-X-MEDIA-SEQUENCE':
      state.sequence = Number.parseInt(value, 10) || 0;
      break;
    case '#EXT-X-BYTERANGE':
      state.slice = value;
      break;
    case '#EXT-X-KEY':
      state.key = readAttributes(value);
      break;
    case '#EXT-X-GAP':
      state.isGap = true;
      break;
    case '#EXT-X-DISCONTINUITY':
      // Transport streams can restart on their own; MP4 fragments depend on one init segment.
      if (state.map) state.isNew = true;
      break;
    case '#EXT-X-MAP': {
      const { URI = '', BYTERANGE } = readAttributes(value);
      const url = mediaUrl(URI, base);
      const slice = sliceOf({ ...state, slice: BYTERANGE }, url);
      const map = { url, slice, key: keyOf(state.key, state.sequence, base) };
      state.isNew ||= JSON.stringify(map) !== JSON.stringify(state.map);
      state.map = map;
    }
  }
}

/** `length@start`, or just the length if it continues the previous slice. */
function sliceOf({ slice, ends }: Pick<State, 'slice' | 'ends'>, url: string): Slice | undefined {
  if (slice === undefined) return undefined;
  const [length = 0, start = ends.get(url) ?? 0] = slice.split('@').map((number) => Number.parseInt(number, 10));
  if (!(length > 0) || !(start >= 0)) throw unusable('The playlist contains an invalid byte range.');
  ends.set(url, start + length);
  return { start, length };
}

function keyOf(key: Attributes | undefined, sequence: number, base: string): SegmentKey | undefined {
  const { METHOD = 'NONE', URI, IV, KEYFORMAT = 'identity' } = key ?? {};
  if (METHOD === 'NONE') return undefined;
  if (METHOD !== 'AES-128' || KEYFORMAT !== 'identity' || !URI) {
    throw accessDenied('The media is protected by DRM.');
  }
  const iv = Buffer.alloc(16);
  if (IV) Buffer.from(IV.replace(/^0x/i, '').padStart(32, '0'), 'hex').copy(iv);
  else iv.writeBigUInt64BE(BigInt(Math.max(0, sequence)), 8);
  return { url: mediaUrl(URI, base), iv };
}

function tagOf(line: string): [tag: string, value: string] {
  const colon = line.indexOf(':');
  return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)];
}

const readAttributes = (text: string): Attributes =>
  Object.fromEntries([...text.matchAll(ATTRIBUTE)].map(([, name, value]) => [name!, value!.replace(/^"|"$/g, '')]));
