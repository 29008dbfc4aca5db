// Reads a body whose first bytes decide whether it is wanted, before the rest is downloaded.
import { ServiceError } from '../contracts/errors/errors.ts';
import { readStart } from '../util/bytes/bounded-read.ts';
import type { DownloadDecision } from './engine.ts';

type Admit = (firstBytes: Uint8Array) => DownloadDecision;

/** Empty if the first bytes are `enough`. Throws what `admit` throws, or SCRAPE_PAGE_TOO_LARGE. */
export async function readAdmitted(
  body: AsyncIterable<Uint8Array>,
  admit: Admit,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const { bytes, isWhole } = await readStart(admitted(body, admit), maxBytes);
  if (!isWhole) throw new ServiceError('SCRAPE_PAGE_TOO_LARGE');
  return bytes;
}

async function* admitted(body: AsyncIterable<Uint8Array>, admit: Admit): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of body) {
    if (chunk.length === 0) continue;
    if (isFirst && admit(chunk) === 'enough') return;
    isFirst = false;
    yield chunk;
  }
}
