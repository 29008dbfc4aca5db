// Reads the properties and the slide count of the binary Office formats.
import { CFB } from '@e965/xlsx';
import { type FileMetadata, toMetadata } from './office-properties.ts';

export interface BinaryProperties {
  metadata: FileMetadata;
  slides?: number;
}

/** Empty if the file cannot be read; the engine reports the error. */
export function readBinaryProperties(bytes: Uint8Array): BinaryProperties {
  try {
    const container = CFB.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { type: 'buffer' });
    const stream = (name: string): Buffer | undefined => {
      const content = CFB.find(container, name)?.content;
      return content === undefined ? undefined : Buffer.from(content as Uint8Array);
    };
    const summary = stream('\u0005SummaryInformation');
    const presentation = stream('PowerPoint Document');
    return {
      metadata: summary ? readSummary(summary) : {},
      ...(presentation && { slides: countSlides(presentation) }),
    };
  } catch {
    return { metadata: {} };
  }
}

const CODE_PAGE = 1;
const NAMES: ReadonlyMap<number, string> = new Map([
  [2, 'title'],
  [3, 'subject'],
  [4, 'author'],
  [5, 'keywords'],
  [6, 'description'],
  [12, 'publishedTime'],
  [13, 'modifiedTime'],
]);
const TYPE_SHORT = 2;
const TYPE_TEXT = 30;
const TYPE_WIDE_TEXT = 31;
const TYPE_TIME = 64;
const MAX_PROPERTIES = 200;
const MAX_TEXT = 4000;
/** Milliseconds from 1601 to 1970. */
const FILE_TIME_START = 11_644_473_600_000;

function readSummary(stream: Buffer): FileMetadata {
  const found = new Map<string, string[]>();
  const start = stream.readUInt32LE(44);
  const count = Math.min(stream.readUInt32LE(start + 4), MAX_PROPERTIES);
  const offsets = new Map<number, number>();
  for (let at = 0; at < count; at++) {
    offsets.set(stream.readUInt32LE(start + 8 + at * 8), start + stream.readUInt32LE(start + 12 + at * 8));
  }
  const page = offsets.get(CODE_PAGE);
  const codePage =
    page === undefined || stream.readUInt32LE(page) !== TYPE_SHORT ? 1252 : stream.readUInt16LE(page + 4);
  for (const [id, offset] of offsets) {
    const name = NAMES.get(id);
    const value = name === undefined ? '' : valueAt(stream, offset, codePage);
    if (name !== undefined && value !== '') found.set(name, [value]);
  }
  return toMetadata(found);
}

function valueAt(stream: Buffer, at: number, codePage: number): string {
  const type = stream.readUInt32LE(at);
  if (type === TYPE_TIME) {
    const time = Number(stream.readBigUInt64LE(at + 4) / 10_000n) - FILE_TIME_START;
    return time > 0 && time < 8.64e15 ? new Date(time).toISOString() : '';
  }
  if (type !== TYPE_TEXT && type !== TYPE_WIDE_TEXT) return '';
  const isWide = type === TYPE_WIDE_TEXT || codePage === 1200;
  const length = Math.min(stream.readUInt32LE(at + 4) * (type === TYPE_WIDE_TEXT ? 2 : 1), MAX_TEXT);
  const label = isWide ? 'utf-16le' : codePage === 65001 ? 'utf-8' : `windows-${codePage}`;
  const text = new TextDecoder(label).decode(stream.subarray(at + 8, at + 8 + length));
  return text.split('\0', 1)[0]!.trim();
}

const DOCUMENT_RECORD = 1000;
const SLIDE_LIST_RECORD = 4080;
const SLIDE_RECORD = 1011;
const RECORD_HEADER_BYTES = 8;

/** Takes the last slide list: older versions of the presentation stay in the file. */
function countSlides(stream: Buffer): number {
  let slides = 0;
  for (const record of recordsIn(stream, 0, stream.length)) {
    if (record.type !== DOCUMENT_RECORD) continue;
    for (const list of recordsIn(stream, record.from, record.to)) {
      // Lists of masters and notes have other instance numbers.
      if (list.type !== SLIDE_LIST_RECORD || list.instance !== 0) continue;
      slides = [...recordsIn(stream, list.from, list.to)].filter(({ type }) => type === SLIDE_RECORD).length;
    }
  }
  return slides;
}

function* recordsIn(stream: Buffer, start: number, end: number) {
  let at = start;
  while (at + RECORD_HEADER_BYTES <= end) {
    const from = at + RECORD_HEADER_BYTES;
    const to = Math.min(end, from + stream.readUInt32LE(at + 4));
    yield { instance: stream.readUInt16LE(at) >> 4, type: stream.readUInt16LE(at + 2), from, to };
    at = to;
  }
}
