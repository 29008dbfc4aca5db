// Pictures embedded in a file, as data: URIs. Large ones are omitted.

const MAX_BYTES = 256 * 1024;
const MAX_TOTAL = 4 * 1024 * 1024;
const TYPES: readonly [start: string, type: string][] = [
  ['\x89PNG', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['RIFF', 'image/webp'],
];

export interface EmbeddedPictures {
  /** The data: URI of the picture with this key; undefined if it is too large or not in a known picture format. */
  dataUri(key: unknown, read: () => Uint8Array | undefined): string | undefined;
}

export function createEmbeddedPictures(): EmbeddedPictures {
  const known = new Map<unknown, string | undefined>();
  let total = 0;
  return {
    dataUri(key, read) {
      if (known.has(key)) return known.get(key);
      const bytes = total < MAX_TOTAL ? read() : undefined;
      const uri = bytes && bytes.length <= MAX_BYTES ? dataUri(bytes) : undefined;
      total += uri?.length ?? 0;
      known.set(key, uri);
      return uri;
    },
  };
}

function dataUri(bytes: Uint8Array): string | undefined {
  const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = picture.toString('latin1', 0, 4);
  const type = TYPES.find(([sign]) => start.startsWith(sign))?.[1];
  return type === undefined ? undefined : `data:${type};base64,${picture.toString('base64')}`;
}
