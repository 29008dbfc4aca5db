// Decompresses the RTF body of an Outlook message ([MS-OXRTFCP]).

const HEADER_BYTES = 16;
const COMPRESSED = 0x75465a4c;
const UNCOMPRESSED = 0x414c454d;
const DICTIONARY_BYTES = 4096;
/** The initial content of every dictionary. */
const SEED =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans Serif' +
  'SymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';

/** Undefined if this is not compressed RTF. Truncated input gives truncated output. */
export function decompressRtf(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = view.getUint32(8, true);
  const content = bytes.subarray(HEADER_BYTES);
  if (kind === UNCOMPRESSED) return content;
  return kind === COMPRESSED ? unpack(content) : undefined;
}

function unpack(packed: Uint8Array): Uint8Array {
  const dictionary = new Uint8Array(DICTIONARY_BYTES);
  dictionary.set(Buffer.from(SEED, 'latin1'));
  let write = SEED.length;
  // A two-byte reference expands to at most seventeen bytes.
  const out = new Uint8Array(packed.length * 9 + 32);
  let length = 0;
  const put = (byte: number): void => {
    out[length] = byte;
    length += 1;
    dictionary[write] = byte;
    write = (write + 1) % DICTIONARY_BYTES;
  };
  let at = 0;
  while (at < packed.length) {
    let flags = packed[at]! | 0x100;
    for (at += 1; flags > 1 && at < packed.length; flags >>= 1) {
      if ((flags & 1) === 0) {
        put(packed[at]!);
        at += 1;
        continue;
      }
      const reference = (packed[at]! << 8) | (packed[at + 1] ?? 0);
      at += 2;
      const from = reference >> 4;
      if (from === write) return out.subarray(0, length);
      for (let step = 0; step < (reference & 15) + 2; step++) put(dictionary[(from + step) % DICTIONARY_BYTES]!);
    }
  }
  return out.subarray(0, length);
}
