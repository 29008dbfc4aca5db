// Reads a threat list as a stream into a set. A list can be damaged, huge or not a list at all.
import { createSlices } from '../../../../util/slices.ts';
import { createFingerprintSet, type FingerprintSet } from './fingerprint-set.ts';
import { readLine } from './list-entries.ts';

export interface ParsedList {
  set: FingerprintSet;
  /** Number of lines that are not entries. */
  skipped: number;
  /** Entries beyond the limit were left out. */
  isCut: boolean;
}

const MAX_ENTRIES = 5_000_000;
/** The longest URL that a request may have. Longer lines are skipped without being kept. */
const MAX_LINE = 16_384;

export async function parseList(chunks: AsyncIterable<Uint8Array>, maxEntries = MAX_ENTRIES): Promise<ParsedList> {
  const set = createFingerprintSet();
  const slices = createSlices();
  const decoder = new TextDecoder();
  let skipped = 0;
  let rest = '';
  let isTooLong = false;

  const take = (line: string) => {
    const names = line.length > MAX_LINE ? undefined : readLine(line);
    if (names === undefined) skipped += 1;
    else if (set.size < maxEntries) for (const name of names) set.add(name);
  };
  const takeChunk = async (text: string) => {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      if (isTooLong) skipped += 1;
      else take(rest + text.slice(from, end));
      isTooLong = false;
      rest = '';
      from = end + 1;
      if (slices.isOver()) await slices.next();
    }
    rest = isTooLong ? '' : rest + text.slice(from);
    if (rest.length <= MAX_LINE) return;
    isTooLong = true;
    rest = '';
  };

  for await (const chunk of chunks) await takeChunk(decoder.decode(chunk, { stream: true }));
  await takeChunk(`${decoder.decode()}\n`);
  return { set, skipped, isCut: set.size >= maxEntries };
}

/** An error page is not a list and must not replace one. */
export const isList = ({ set, skipped }: ParsedList): boolean => skipped <= set.size;
