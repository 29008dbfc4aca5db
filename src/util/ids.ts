// Identifiers: time-ordered UUIDs for jobs and scrapes, random tokens for keys and secrets.
import { randomBytes, randomUUID } from 'node:crypto';

/** Where it begins in a UUID, after the version. */
const RANDOM_PART = 15;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** RFC 9562 version 7: the first 48 bits are the time in milliseconds, so ids sort by creation. */
export function uuidv7(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  // Node makes random UUIDs in advance, many at once; from the version on, they differ in nothing but its number.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(RANDOM_PART)}`;
}

/** When a UUID of version 7 was made; undefined for any other text. */
export const timeOfUuid = (text: string): number | undefined =>
  isUuid(text) && text[14] === '7' ? Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16) : undefined;

export const randomToken = (bytes: number): string => randomBytes(bytes).toString('hex');
