// A part of a long text that a model reads in steps: from an offset, with the URI of the next part at its end.
import { ApiError } from '../../client/api-error.ts';

/** Room for the line that says where the text continues. */
const NOTE_LENGTH = 240;
/** A part ends at a line or a word if there is one in its last tenth. */
const TAIL_SHARE = 0.1;
const LONE_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/** The value of `offset` or `skip`; absent means 0. Throws ApiError. */
export function readPosition(name: string, value: string | undefined): number {
  if (value === undefined || /^\d{1,9}$/.test(value)) return Number(value ?? 0);
  throw noSuchResource(`\`${name}\` must be a whole number from 0.`);
}

export const noSuchResource = (message: string): ApiError =>
  new ApiError(message, { code: 'NOT_FOUND', status: 404, retryAfter: undefined, body: undefined });

interface Part {
  offset: number;
  /** The most characters, the line about the rest included. */
  max: number;
  uriAt(offset: number): string;
}

/** Throws ApiError if the text ends before the offset. */
export function textPart(text: string, { offset, max, uriAt }: Part): string {
  if (offset > 0 && offset >= text.length) throw noSuchResource(`The text ends at the offset ${text.length}.`);
  if (text.length - offset <= max) return text.slice(offset);
  const part = cutAtWord(text.slice(offset, offset + Math.max(1, max - NOTE_LENGTH)));
  const end = offset + part.length;
  return `${part}\n\n[Characters ${offset} to ${end} of ${text.length}. Continue with the resource ${uriAt(end)}]`;
}

function cutAtWord(text: string): string {
  const earliest = Math.floor(text.length * (1 - TAIL_SHARE));
  const at = ['\n', ' '].map((space) => text.lastIndexOf(space)).find((position) => position > earliest);
  if (at !== undefined) return text.slice(0, at + 1);
  return text.length > 1 ? text.replace(LONE_SURROGATE_AT_END, '') : text;
}
