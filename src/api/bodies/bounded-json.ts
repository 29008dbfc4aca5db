// Parses the JSON of a caller. Reading millions of tiny values or levels blocks the event loop for a second, so their number
// is counted first, in slices.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { createSlices, type Slices } from '../../util/slices.ts';

/** Far above what any contract accepts: a batch has 100,000 URLs, a JSON Schema a few thousand fields. */
const MAX_DEPTH = 72;
const MAX_VALUES = 200_000;
const MAX_FIELDS = 20_000;
const MAX_FIELDS_PER_OBJECT = 1_000;

const TOO_COMPLEX = `The JSON is too complex. It may have ${MAX_DEPTH} levels, ${MAX_VALUES} values and ${MAX_FIELDS} fields, at most ${MAX_FIELDS_PER_OBJECT} of them in one object.`;

const LARGE = 256 * 1024;
/** Bytes between two looks at the clock. */
const BLOCK = 16 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Throws ServiceError for JSON that is too complex, and whatever `parse` throws for text that is not JSON. */
export async function parseBoundedJson<T>(
  bytes: Buffer,
  parse: (text: string) => T | Promise<T>,
  slices: Slices = createSlices(),
): Promise<T> {
  await refuseComplexJson(bytes, slices);
  if (bytes.length <= LARGE) return parse(bytes.toString());
  // Parsing cannot be interrupted, so it has a turn for itself, and what follows checks the whole value again.
  await slices.next();
  const value = await parse(bytes.toString());
  await slices.next();
  return value;
}

async function refuseComplexJson(bytes: Buffer, slices: Slices): Promise<void> {
  const count = createCounter();
  let isText = false;
  let nextLook = BLOCK;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    // An escaped character is part of the text.
    if (isText && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) isText = !isText;
    else if (!isText) count(byte);
    if (at < nextLook) continue;
    nextLook = at + BLOCK;
    if (slices.isOver()) await slices.next();
  }
}

/** Counts what stands outside of texts. Whether it is valid JSON is left to the parser. */
function createCounter(): (byte: number) => void {
  const fieldsAt = new Uint32Array(MAX_DEPTH + 1);
  let depth = 0;
  let values = 0;
  let fields = 0;
  return (byte) => {
    // Most bytes outside of texts are white space, digits and letters.
    if (byte !== COMMA && byte !== COLON && byte < 0x5b) return;
    if (byte === COMMA) values += 1;
    else if (byte === COLON) {
      fields += 1;
      fieldsAt[depth]! += 1;
    } else if (OPENING.has(byte)) {
      depth += 1;
      values += 1;
      fieldsAt[depth] = 0;
    } else if (CLOSING.has(byte) && depth > 0) depth -= 1;
    const isTooComplex =
      depth > MAX_DEPTH || values > MAX_VALUES || fields > MAX_FIELDS || fieldsAt[depth]! > MAX_FIELDS_PER_OBJECT;
    if (isTooComplex) throw new ServiceError('BAD_REQUEST', { message: TOO_COMPLEX });
  };
}
