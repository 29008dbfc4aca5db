// What a site memory knows about each labelled page that has siblings, and the trees that are trained with it.
import { learnPage, type SiteMemory, textsOf } from '../../src/page/site-memory.ts';
import type { PageTypeOdds } from '../../src/transform/main-content/model/page-type.ts';
import { readSiblings, type SiblingShares } from '../../src/transform/main-content/siblings/sibling-shares.ts';
import {
  isDoubted,
  logit,
  SIBLING_FEATURES,
  siblingRows,
  templateDoubt,
} from '../../src/transform/main-content/siblings/template-doubt.ts';
import { type Ensemble, predictorOf } from './ensemble.ts';
import type { ExamplePage } from './examples.ts';
import { SIBLING_PARAMS, trainBinary } from './gbdt.ts';
import { createMatrix } from './matrix.ts';
import type { Targets } from './targets.ts';

/** A page as the block model and the page type see it that did not know its domain. */
export interface Reading {
  readonly probability: Float64Array;
  readonly odds: PageTypeOdds;
}

export type ReadingOf = (page: ExamplePage) => Reading;

export interface SitePage extends Reading {
  readonly page: ExamplePage;
  readonly siblings: SiblingShares;
}

/** Each page that has siblings: with all of them and, if there are several, with the first one alone. */
export function sitePages(pages: readonly ExamplePage[], readingOf: ReadingOf): SitePage[] {
  const sites = Map.groupBy(pages, ({ url, id }) => URL.parse(url)?.host ?? id);
  return [...sites.values()].flatMap((ofSite) =>
    ofSite.flatMap((page) => {
      const others = ofSite.filter(({ url }) => url !== page.url);
      if (others.length === 0) return [];
      const reading = readingOf(page);
      return [others, others.slice(0, 1)].slice(0, others.length).flatMap((some) => {
        const site = { name: '', memory: memoryOf(some), url: NOT_LEARNT };
        const siblings = readSiblings(page, reading.probability, site);
        return siblings ? [{ page, ...reading, siblings }] : [];
      });
    }),
  );
}

const NOT_LEARNT = 0xffffffff;

const memoryOf = (pages: readonly ExamplePage[]): SiteMemory =>
  pages.reduce<SiteMemory | undefined>(
    (memory, { words, hashes }, url) => learnPage(memory, { url, texts: textsOf(words, hashes), at: 60_000 }),
    undefined,
  )!;

/** Trees for the blocks whose text stands on siblings. They correct what is thought of them otherwise. */
export function trainSiblings(examples: readonly SitePage[], { labels, weights }: Targets): Ensemble {
  const count = examples.reduce((sum, { page }) => sum + page.words.length, 0);
  const data = createMatrix(count, SIBLING_FEATURES.length);
  const used = { labels: new Int8Array(count), weights: new Float64Array(count), start: new Float64Array(count) };
  let at = 0;
  for (const { page, probability, odds, siblings } of examples) {
    data.values.set(
      siblingRows(page, probability, odds, siblings, [...page.words.keys()]),
      at * SIBLING_FEATURES.length,
    );
    for (let index = 0; index < page.words.length; index++, at++) {
      used.labels[at] = labels[page.firstRow + index]!;
      used.weights[at] = isDoubted(siblings, index) ? weights[page.firstRow + index]! : 0;
      used.start[at] = logit(probability[index]!);
    }
  }
  return trainBinary(data, used.labels, used.weights, SIBLING_PARAMS, used.start);
}

/** What siblings say about the blocks of a page. */
export function createDoubt(trees: Ensemble): (example: SitePage) => Float64Array {
  const predict = predictorOf(trees, SIBLING_FEATURES.length);
  return ({ page, probability, odds, siblings }) => templateDoubt(predict, page, probability, odds, siblings);
}
