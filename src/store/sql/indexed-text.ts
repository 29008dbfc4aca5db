// Texts of any length in an index. URLs and keys come from sites and callers, and may be longer than an index can hold.
import { createHash } from 'node:crypto';

/** An entry of an index has at most 2,704 bytes, together with its other columns. */
const MAX_BYTES = 2_000;
/** No more than three bytes each: nearly all texts are so short that their bytes need not be counted. */
const MAX_LENGTH = Math.floor(MAX_BYTES / 3);
const PREFIX_LENGTH = 600;

/** The text itself, or its beginning and a hash of it. Texts that differ stay different, and their beginnings keep their order. */
export const indexed = (text: string): string =>
  text.length <= MAX_LENGTH || Buffer.byteLength(text) <= MAX_BYTES
    ? text
    : text.slice(0, PREFIX_LENGTH) + createHash('sha256').update(text).digest('hex');
