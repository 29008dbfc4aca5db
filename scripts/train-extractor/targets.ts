// Labels and weights of all blocks, from the truths and snippets.
import type { Examples } from './examples.ts';
import { isHeldBack } from './split.ts';
import { balanceTypes, setWeight, snippetWeights, wordWeights } from './weights.ts';

export interface Targets {
  readonly labels: Int8Array;
  /** 0 for blocks without a label. */
  readonly weights: Float64Array;
}

export function makeTargets({ pages, blocks }: Examples): Targets {
  const typeWeight = balanceTypes(pages.filter((page) => page.truth !== '' && !isHeldBack(page)));
  const labels = new Int8Array(blocks.rows).fill(-1);
  const weights = new Float64Array(blocks.rows);
  for (const { truth, truthWords, set, type, words, labels: ofPage, firstRow } of pages) {
    const weight = setWeight(set) * typeWeight(type);
    labels.set(ofPage, firstRow);
    weights.set(truth === '' ? snippetWeights(ofPage) : wordWeights(words, ofPage, truthWords, weight), firstRow);
  }
  return { labels, weights };
}
