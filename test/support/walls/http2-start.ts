// Reads how a client opens an HTTP/2 connection: its settings and window tell browsers from other programs.

export interface Http2Fingerprint {
  /** `id:value` of every setting, in order. */
  settings: string[];
  /** What the client adds to the window of the connection. */
  windowUpdate: number;
  /** The pseudo-headers, in order, by their first letters: `masp` for Chrome. */
  pseudoHeaders: string;
}

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const FRAME_HEADER = 9;
const FRAME = { headers: 1, settings: 4, windowUpdate: 8 };
const SETTING_BYTES = 6;

/** Everything before the first request. Undefined while bytes are missing; null if this is not HTTP/2. */
export function readHttp2Start(bytes: Buffer): Omit<Http2Fingerprint, 'pseudoHeaders'> | null | undefined {
  if (bytes.length < PREFACE.length) return undefined;
  if (bytes.toString('latin1', 0, PREFACE.length) !== PREFACE) return null;
  const settings: string[] = [];
  let windowUpdate = 0;
  for (let at = PREFACE.length; ; ) {
    if (bytes.length < at + FRAME_HEADER) return undefined;
    const type = bytes[at + 3];
    if (type === FRAME.headers) return { settings, windowUpdate };
    const start = at + FRAME_HEADER;
    const end = start + bytes.readUIntBE(at, 3);
    if (bytes.length < end) return undefined;
    if (type === FRAME.windowUpdate) windowUpdate += bytes.readUInt32BE(start);
    for (let each = start; type === FRAME.settings && each < end; each += SETTING_BYTES) {
      settings.push(`${bytes.readUInt16BE(each)}:${bytes.readUInt32BE(each + 2)}`);
    }
    at = end;
  }
}
