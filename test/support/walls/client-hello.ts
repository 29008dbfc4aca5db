// Reads the first message of a TLS connection, the ClientHello, as walls do: it tells which program is calling.

/** What stays the same for every connection of a program. Random values (GREASE) and the order of extensions do not. */
export interface TlsFingerprint {
  /** In the order of the client. */
  ciphers: number[];
  /** Sorted, because Chrome shuffles them. */
  extensions: number[];
  /** Key exchange groups, in order. */
  groups: number[];
  signatures: number[];
  alpn: string[];
}

const EXTENSION = { groups: 10, signatures: 13, alpn: 16, padding: 21, preSharedKey: 41 };
const RECORD_HEADER = 5;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;

/** Values like 0x1a1a, which Chrome adds at random to keep servers tolerant. */
const isGrease = (value: number): boolean => (value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff);

/** Undefined while bytes are missing; null if the bytes are not a ClientHello. */
export function readClientHello(bytes: Buffer): TlsFingerprint | null | undefined {
  const message = handshakeMessage(bytes);
  if (!message) return message;
  const reader = createReader(message);
  reader.skip(2 + 32);
  reader.skip(reader.number(1));
  const ciphers = reader.numbers(reader.number(2)).filter((cipher) => !isGrease(cipher));
  reader.skip(reader.number(1));
  const extensions = readExtensions(reader.bytes(reader.number(2)));
  const listOf = (type: number) => {
    const list = createReader(extensions.get(type) ?? Buffer.from([0, 0]));
    return list.numbers(list.number(2)).filter((value) => !isGrease(value));
  };
  return {
    ciphers,
    extensions: [...extensions.keys()]
      // They depend on the length of the message, and on earlier connections.
      .filter((type) => !isGrease(type) && type !== EXTENSION.padding && type !== EXTENSION.preSharedKey)
      .sort((a, b) => a - b),
    groups: listOf(EXTENSION.groups),
    signatures: listOf(EXTENSION.signatures),
    alpn: readAlpn(extensions.get(EXTENSION.alpn)),
  };
}

/** The body of the ClientHello, which may be spread over several records. */
function handshakeMessage(bytes: Buffer): Buffer | null | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    if (bytes.length < at + RECORD_HEADER) return undefined;
    if (bytes[at] !== HANDSHAKE) return null;
    const end = at + RECORD_HEADER + bytes.readUInt16BE(at + 3);
    if (bytes.length < end) return undefined;
    parts.push(bytes.subarray(at + RECORD_HEADER, end));
    at = end;
    const message = Buffer.concat(parts);
    if (message[0] !== CLIENT_HELLO) return null;
    const length = message.length < 4 ? Number.POSITIVE_INFINITY : message.readUIntBE(1, 3);
    if (message.length >= 4 + length) return message.subarray(4, 4 + length);
  }
}

function readExtensions(bytes: Buffer): Map<number, Buffer> {
  const reader = createReader(bytes);
  const extensions = new Map<number, Buffer>();
  while (reader.left() >= 4) extensions.set(reader.number(2), reader.bytes(reader.number(2)));
  return extensions;
}

function readAlpn(bytes: Buffer = Buffer.from([0, 0])): string[] {
  const reader = createReader(bytes);
  reader.skip(2);
  const names: string[] = [];
  while (reader.left() > 0) names.push(reader.bytes(reader.number(1)).toString('latin1'));
  return names;
}

function createReader(bytes: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    const part = bytes.subarray(at, at + length);
    at += length;
    return part;
  };
  const number = (size: number): number => take(size).readUIntBE(0, size);
  return {
    bytes: take,
    number,
    skip: (length: number) => void take(length),
    left: () => bytes.length - at,
    numbers: (length: number): number[] => Array.from({ length: Math.floor(length / 2) }, () => number(2)),
  };
}
