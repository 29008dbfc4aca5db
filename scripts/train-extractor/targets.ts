// Labels and weights of all blocks: first from the truths alone, then corrected by models that have not seen the pages.
import type { ExamplePage, Examples } from './examples.ts';
import { isHeldBack } from './split.ts';
import type { PageResult } from './validate.ts';
import { balanceTypes, noiseWeight, pseudoLabels, setWeight, snippetWeights, wordWeights } from './weights.ts';

export interface Targets {
  readonly labels: Int8Array;
  /** 0 for blocks without a label. */
  readonly weights: Float64Array;
  readonly noisyPages: number;
  readonly pseudoPages: number;
}

/** `results` come from models that did not see the page they judge. */
export function makeTargets({ pages, blocks }: Examples, results?: readonly PageResult[]): Targets {
  const typeWeight = balanceTypes(pages.filter((page) => page.truth !== '' && !isHeldBack(page)));
  const labels = new Int8Array(blocks.rows).fill(-1);
  const weights = new Float64Array(blocks.rows);
  let noisyPages = 0;
  let pseudoPages = 0;
  for (const [i, page] of pages.entries()) {
    const result = results?.[i];
    const target = page.truth === '' ? snippetTarget(page, result) : truthTarget(page, typeWeight, result);
    if (target.corrected && page.truth === '') pseudoPages += 1;
    else if (target.corrected) noisyPages += 1;
    labels.set(target.labels, page.firstRow);
    weights.set(target.weights, page.firstRow);
  }
  return { labels, weights, noisyPages, pseudoPages };
}

function truthTarget(page: ExamplePage, typeWeight: (type: string) => number, result: PageResult | undefined) {
  const doubt = noiseWeight(result?.score);
  const weight = setWeight(page.set) * typeWeight(page.type) * doubt;
  const weights = wordWeights(page.words, page.labels, page.truthWords, weight);
  return { labels: page.labels, weights, corrected: doubt < 1 };
}

function snippetTarget(page: ExamplePage, result: PageResult | undefined) {
  if (result && page.wanted.length > 0 && result.wanted === 1) {
    return { ...pseudoLabels(result.probability, page.words, page.labels, page.paths), corrected: true };
  }
  return { labels: page.labels, weights: snippetWeights(page.labels), corrected: false };
}
