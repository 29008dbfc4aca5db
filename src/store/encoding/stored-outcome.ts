// An outcome as it is stored: two lines of JSON, the content, so that a Document can be assembled without parsing it, and
// the rest. It moves to the thread that wants it as one buffer, and is parsed only there.
import type { TransformResult } from '../../page/page.ts';
import type { Bytes } from './join-bytes.ts';

export type StoredOutcome = Bytes;

/** A row with its outcome as stored. */
interface WithStored {
  stored: StoredOutcome;
}

const LINE_FEED = 0x0a;

export function toStored({ content, ...rest }: TransformResult): Uint8Array {
  return Buffer.concat([content, Buffer.from(`\n${JSON.stringify(rest)}`)]);
}

/** The JSON of the content; undefined if these bytes are not an outcome. */
export function contentOf(stored: Uint8Array): Uint8Array | undefined {
  // A Buffer finds a byte many times faster than an array.
  const end = asBuffer(stored).indexOf(LINE_FEED);
  return end < 0 ? undefined : stored.subarray(0, end);
}

export function openStored<T extends WithStored>({
  stored,
  ...row
}: T): Omit<T, 'stored'> & { outcome: TransformResult } {
  const content = contentOf(stored)!;
  const rest = asBuffer(stored).toString('utf8', content.byteLength + 1);
  return { ...row, outcome: { ...JSON.parse(rest), content } };
}

type Opened<Found> = Found extends WithStored ? Omit<Found, 'stored'> & { outcome: TransformResult } : Found;

/** Opens the outcome of what was found, if it has one. */
export const openFound = <Found extends object | undefined>(found: Found): Opened<Found> =>
  (found && 'stored' in found ? openStored(found as Found & WithStored) : found) as Opened<Found>;

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
