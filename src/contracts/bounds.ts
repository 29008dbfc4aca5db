// Bounds that contracts share. Every text, list, map and JSON value in a request has one, so that no request can make the
// service work for long; test/unit/contracts/bounds.test.ts walks all schemas.
import { z } from 'zod';
import { exceedsJsonSize, type JsonSize } from '../util/json/json-size.ts';

export const MAX_URL_LENGTH = 16_384;
export const MAX_PROMPT_LENGTH = 10_000;
export const MAX_SELECTOR_LENGTH = 2_000;
/** IDs and names that only have to be compared with known ones. */
export const MAX_NAME_LENGTH = 256;

const MAX_HEADERS = 200;
const MAX_HEADER_VALUE = 16_384;

/** The error is the one for an absent URL. */
export const urlText = (error: string) =>
  z.string({ error }).max(MAX_URL_LENGTH, `The URL is longer than ${MAX_URL_LENGTH} characters.`);

export const selectorText = z.string().max(MAX_SELECTOR_LENGTH);
export const nameText = z.string().max(MAX_NAME_LENGTH);

// Line breaks or separators in a header would let a caller inject further headers into the request.
const headerName = nameText.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'This is not a valid header name.');
const headerValue = z
  .union([z.string().max(MAX_HEADER_VALUE), z.number(), z.boolean()])
  .transform(String)
  .refine((value) => !/[\r\n\0]/.test(value), { error: 'A header value must have no line breaks.' });

/** An object with any names; each counts as an entry. */
export const boundedRecord = <Key extends z.ZodString, Value extends z.ZodType>(
  key: Key,
  value: Value,
  maxEntries: number,
) =>
  z
    .record(key, value)
    .superRefine((given, context) => {
      if (Object.keys(given).length <= maxEntries) return;
      context.addIssue({ code: 'too_big', origin: 'map', maximum: maxEntries, inclusive: true, input: given });
    })
    .meta({ maxProperties: maxEntries });

export const headers = boundedRecord(headerName, headerValue, MAX_HEADERS);

const MAX_JSON_ENTRIES = 1_000;

/** Any JSON object within a size. `name` is the field, for the error. */
export const jsonObject = (name: string, size: JsonSize) =>
  boundedRecord(nameText, z.unknown(), MAX_JSON_ENTRIES)
    .refine((value) => !exceedsJsonSize(value, size), {
      error: `\`${name}\` is too large: it may have ${size.characters} characters and ${size.depth} levels as JSON.`,
    })
    .meta({ maxProperties: MAX_JSON_ENTRIES, 'x-maxLevels': size.depth });
