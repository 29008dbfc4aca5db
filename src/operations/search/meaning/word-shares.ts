// How many of the words of a query texts have, counted with pauses, so that many texts delay nobody.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createWordShares } from '../../../search/relevance.ts';

/** Texts whose words are counted without a pause. */
const TEXTS_AT_ONCE = 20;

/** One number a text, see WordShares. */
export async function wordShares(query: string, texts: readonly string[]): Promise<number[]> {
  const words = createWordShares(query);
  for (const [at, text] of texts.entries()) {
    words.add(text);
    if (at % TEXTS_AT_ONCE === 0) await nextTurn();
  }
  return words.shares();
}
