// Finds the pairs of neighbouring terms in a page.
import type { Vocabulary } from '../../text/words/vocabulary.ts';
import { PairSet } from '../segments/pairs/packed-pairs.ts';
import { pairHash } from '../segments/pairs/pair-hash.ts';
import { termHash } from '../segments/postings/term-hash.ts';
import type { TermOrder } from './analyse-page.ts';

export interface PairFinder {
  /** The pairs of a page, packed. */
  pairsOf(order: TermOrder, vocabulary: Vocabulary): Uint8Array;
}

export function createPairFinder(): PairFinder {
  const found = new PairSet();
  let current: Vocabulary | undefined;
  // By number of the term; as many as the vocabulary had terms.
  let hashes: number[] = [];

  const addPairs = (termIds: Uint32Array) => {
    for (let at = 1; at < termIds.length; at++) found.add(pairHash(hashes[termIds[at - 1]!]!, hashes[termIds[at]!]!));
  };
  return {
    pairsOf({ title, body }, vocabulary) {
      if (vocabulary !== current) hashes = [];
      current = vocabulary;
      for (let termId = hashes.length; termId < vocabulary.terms.length; termId++)
        hashes.push(termHash(vocabulary.terms[termId]!));
      addPairs(title);
      addPairs(body);
      return found.take();
    },
  };
}
