// Identifies media by its bytes alone. The demuxer is chosen here and forced on ffmpeg, which would otherwise open
// scripts and playlists by what they claim to be.

/** Names of ffmpeg's demuxers that read a single file and follow no references in it. */
export type Container =
  | 'mov'
  | 'matroska'
  | 'webm'
  | 'mpegts'
  | 'mpeg'
  | 'avi'
  | 'flv'
  | 'mp3'
  | 'aac'
  | 'ogg'
  | 'flac'
  | 'wav';
export type Playlist = 'hls' | 'dash';

/** How much of the start of a file is examined. */
export const HEAD_BYTES = 4096;

const TS_PACKET = 188;
const MP4_BOXES = new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'sidx', 'free', 'skip', 'wide', 'pnot']);
/** Images that use the same boxes as videos. */
const PICTURE_BRANDS = /^(?:avif|avis|heic|heix|heim|heis|hevc|hevx|mif1|msf1|jxl )$/;

export function containerOf(head: Uint8Array): Container | Playlist | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES));
  const text = bytes.toString('latin1');
  if (MP4_BOXES.has(text.slice(4, 8)) && bytes[0] === 0) {
    return text.slice(4, 8) === 'ftyp' && PICTURE_BRANDS.test(text.slice(8, 12)) ? undefined : 'mov';
  }
  if (text.startsWith('\x1a\x45\xdf\xa3')) return text.slice(0, 64).includes('webm') ? 'webm' : 'matroska';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('fLaC')) return 'flac';
  if (text.startsWith('FLV\x01')) return 'flv';
  if (text.startsWith('RIFF')) return riffKind(text);
  if (text.startsWith('\0\0\x01\xba')) return 'mpeg';
  if ([0, TS_PACKET, 2 * TS_PACKET].every((at) => bytes[at] === 0x47)) return 'mpegts';
  if (text.startsWith('ID3')) return frameKind(bytes, tagLength(bytes)) === 'aac' ? 'aac' : 'mp3';
  return frameKind(bytes, 0) ?? playlistKind(text);
}

const riffKind = (text: string): Container | undefined =>
  text.startsWith('WAVE', 8) ? 'wav' : text.startsWith('AVI ', 8) ? 'avi' : undefined;

/** Frames without a container: after the sync word, the layer distinguishes AAC (0) from MP3 (3). */
function frameKind(bytes: Buffer, at: number): Container | undefined {
  const [first, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if (first !== 0xff) return undefined;
  if ((second & 0xf6) === 0xf0) return 'aac';
  const isLayer3 = (second & 0xe6) === 0xe2;
  const isValid = (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c;
  return isLayer3 && isValid ? 'mp3' : undefined;
}

/** Length of an ID3 tag: four bytes of seven bits each, plus its header. */
const tagLength = (bytes: Buffer): number =>
  10 + [6, 7, 8, 9].reduce((length, at) => length * 128 + ((bytes[at] ?? 0) & 0x7f), 0);

function playlistKind(text: string): Playlist | undefined {
  const start = text.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (start.startsWith('#EXTM3U')) return 'hls';
  return start.startsWith('<') && /<(?:\w{1,20}:)?MPD[\s>]/.test(start) ? 'dash' : undefined;
}

const MEDIA_TYPE = /^(?:audio|video)\/|^application\/(?:vnd\.apple\.mpegurl|x-mpegurl|dash\+xml|ogg|mp4)$/;
const MEDIA_NAME = /\.(?:mp4|m4v|m4a|mov|webm|mkv|mp3|aac|ogg|oga|ogv|opus|flac|wav|avi|flv|mpe?g|m2?ts|m3u8?|mpd)$/;

/**
 * Whether a URL requested as a page is a media file or playlist. The bytes decide. If they are inconclusive, the declared
 * type and the name count, unless the bytes are text (an error page at the address of a video).
 */
export function isMedia(contentType: string, firstBytes: Uint8Array, url: string): boolean {
  if (containerOf(firstBytes) !== undefined) return true;
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const isNamed =
    MEDIA_TYPE.test(type) || (isUnspecified(type) && MEDIA_NAME.test(URL.parse(url)?.pathname.toLowerCase() ?? ''));
  return isNamed && !/^\s*[<{[]/.test(Buffer.from(firstBytes.subarray(0, 64)).toString('latin1'));
}

const isUnspecified = (type: string): boolean =>
  type === '' || type === 'application/octet-stream' || type === 'binary/octet-stream';
