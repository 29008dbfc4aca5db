// Signatures of binary files, compared byte by byte: whatever type the server declares.

interface Magic {
  type: string;
  /** Expected at `offset`, as Latin-1. */
  bytes: string;
  offset?: number;
}

// Longer and rarer signatures first. Short ones count only if there is also a zero byte.
const MAGIC: Magic[] = [
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'application/postscript', bytes: '%!PS-' },
  { type: 'application/rtf', bytes: '{\\rtf' },
  { type: 'application/x-ole-storage', bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { type: 'application/zip', bytes: 'PK\x03\x04' },
  { type: 'application/zip', bytes: 'PK\x05\x06' },
  { type: 'application/gzip', bytes: '\x1f\x8b' },
  { type: 'application/x-bzip2', bytes: 'BZh' },
  { type: 'application/x-xz', bytes: '\xfd7zXZ\0' },
  { type: 'application/x-7z-compressed', bytes: '7z\xbc\xaf\x27\x1c' },
  { type: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { type: 'application/zstd', bytes: '\x28\xb5\x2f\xfd' },
  { type: 'application/x-tar', bytes: 'ustar', offset: 257 },
  { type: 'application/wasm', bytes: '\0asm' },
  { type: 'application/x-executable', bytes: '\x7fELF' },
  { type: 'application/x-mach-binary', bytes: '\xcf\xfa\xed\xfe' },
  { type: 'application/x-mach-binary', bytes: '\xca\xfe\xba\xbe' },
  { type: 'application/vnd.sqlite3', bytes: 'SQLite format 3\0' },
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'image/webp', bytes: 'WEBP', offset: 8 },
  { type: 'image/tiff', bytes: 'II*\0' },
  { type: 'image/tiff', bytes: 'MM\0*' },
  { type: 'image/tiff', bytes: 'II+\0' },
  { type: 'image/tiff', bytes: 'MM\0+' },
  { type: 'image/jp2', bytes: '\0\0\0\x0cjP  \r\n\x87\n' },
  { type: 'image/jp2', bytes: '\xff\x4f\xff\x51' },
  { type: 'image/x-icon', bytes: '\0\0\x01\0' },
  { type: 'image/avif', bytes: 'ftypavi', offset: 4 },
  { type: 'image/heic', bytes: 'ftyphe', offset: 4 },
  { type: 'image/heif', bytes: 'ftypmif1', offset: 4 },
  { type: 'image/heif', bytes: 'ftypmsf1', offset: 4 },
  { type: 'image/jxl', bytes: '\xff\x0a' },
  { type: 'image/vnd.adobe.photoshop', bytes: '8BPS' },
  { type: 'video/mp4', bytes: 'ftyp', offset: 4 },
  { type: 'video/webm', bytes: '\x1a\x45\xdf\xa3' },
  { type: 'video/x-msvideo', bytes: 'AVI ', offset: 8 },
  { type: 'video/x-flv', bytes: 'FLV\x01' },
  { type: 'video/mpeg', bytes: '\0\0\x01\xba' },
  { type: 'audio/wav', bytes: 'WAVE', offset: 8 },
  { type: 'audio/mpeg', bytes: 'ID3' },
  { type: 'audio/mpeg', bytes: '\xff\xfb' },
  { type: 'audio/mpeg', bytes: '\xff\xf3' },
  { type: 'audio/ogg', bytes: 'OggS' },
  { type: 'audio/flac', bytes: 'fLaC' },
  { type: 'audio/midi', bytes: 'MThd' },
  { type: 'font/woff', bytes: 'wOFF' },
  { type: 'font/woff2', bytes: 'wOF2' },
  { type: 'font/otf', bytes: 'OTTO\0' },
  { type: 'font/ttf', bytes: '\0\x01\0\0\0' },
  { type: 'application/vnd.microsoft.portable-executable', bytes: 'MZ' },
  { type: 'image/bmp', bytes: 'BM' },
];

const NEEDS_ZERO = new Set(['MZ', 'BM', 'ID3', 'BZh', 'ftyp', 'WAVE', 'WEBP', 'AVI ', 'MThd', '8BPS']);
const HEIF_BRANDS = { from: 16, to: 64 };

interface Signature {
  type: string;
  bytes: Buffer;
  offset: number;
  needsZero: boolean;
}

const SIGNATURES: readonly Signature[] = MAGIC.map(({ type, bytes, offset = 0 }) => ({
  type,
  bytes: Buffer.from(bytes, 'latin1'),
  offset,
  needsZero: NEEDS_ZERO.has(bytes),
}));

/** For each first byte, the signatures that files beginning with it can have, in the same order. */
const BY_FIRST_BYTE: readonly (readonly Signature[])[] = Array.from({ length: 256 }, (_, first) =>
  SIGNATURES.filter(({ bytes, offset }) => offset > 0 || bytes[0] === first),
);

/** The type whose signature these first bytes of a file have. */
export function signedType(head: Buffer, hasZeros: boolean): string | undefined {
  const found = BY_FIRST_BYTE[head[0] ?? 0]!.find(
    ({ bytes, offset, needsZero }) => (hasZeros || !needsZero) && hasBytesAt(head, bytes, offset),
  );
  // The major brand only names the container; the compatible brands follow it.
  if (found?.type !== 'image/heif') return found?.type;
  return head.subarray(HEIF_BRANDS.from, HEIF_BRANDS.to).includes('avif') ? 'image/avif' : found.type;
}

function hasBytesAt(head: Buffer, bytes: Buffer, offset: number): boolean {
  for (let at = 0; at < bytes.length; at++) if (head[offset + at] !== bytes[at]) return false;
  return true;
}

/** Containers hold many formats, so a declared binary type says more than "zip". */
export const isContainer = (type: string): boolean =>
  type === 'application/zip' || type === 'application/x-ole-storage' || type === 'video/mp4';

export const isBinaryName = (type: string): boolean =>
  /^(?:image\/(?!svg)|audio\/|video\/|font\/)/.test(type) ||
  /^application\/(?:pdf|zip|gzip|octet-stream|msword|vnd\.|x-(?!javascript|ndjson|yaml|sh|httpd|php|www))/.test(type);
