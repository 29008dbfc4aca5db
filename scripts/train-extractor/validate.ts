// Applies models to pages they did not see: probabilities, page type, the extracted text and its scores.
import { chooseBlocks } from '../../src/transform/main-content/choice/choice.ts';
import { dropNamedBoxes } from '../../src/transform/main-content/choice/named-boxes.ts';
import type { PageTypeOdds } from '../../src/transform/main-content/model/page-type.ts';
import { gramScore, type Score, wordScore } from '../labelled/score.ts';
import { type Ensemble, predictorOf } from './ensemble.ts';
import type { ExamplePage, Examples } from './examples.ts';
import { createTypePredictor, pageTypeMatrix, trainPageTypes, typeNumber } from './page-types.ts';
import { snippetShare } from './snippets.ts';
import type { Split } from './split.ts';

export interface PageResult {
  probability: Float64Array;
  quality: number;
  /** Undefined for pages with only snippets. */
  score: Score | undefined;
  gramF1: number | undefined;
  /** Shares of the wanted and the unwanted snippets in the chosen text. */
  wanted: number;
  unwanted: number;
  typeIsRight: boolean;
}

export interface Validation {
  /** What each page is taken for, by the model of its fold. */
  readonly odds: readonly PageTypeOdds[];
  /** Probability of every block, from the model of its page's fold. */
  readonly probability: Float64Array;
  readonly results: readonly PageResult[];
}

/** `models` has one model per fold. */
export function validate(examples: Examples, split: Split, models: readonly Ensemble[]): Validation {
  const probability = predictFolds(examples, split, models);
  const typeRows = pageTypeMatrix(examples.pages, probability);
  const heads = split.training.map((training) => trainPageTypes(examples.pages, typeRows, (_, i) => training[i] === 1));
  const predictType = heads.map((head) => createTypePredictor(head, typeRows));
  const types = examples.pages.map((_, i) => predictType[split.fold[i]!]!(i));
  const results = examples.pages.map((page, i) => {
    const { odds, likeliest } = types[i]!;
    return { ...judgePage(page, probabilityOf(page, probability), odds), typeIsRight: likeliest === typeNumber(page) };
  });
  return { probability, odds: types.map(({ odds }) => odds), results };
}

function predictFolds({ pages, blocks }: Examples, split: Split, models: readonly Ensemble[]): Float64Array {
  const predict = models.map((model) => predictorOf(model, blocks.columns));
  const probability = new Float64Array(blocks.rows);
  for (const [i, { firstRow, words }] of pages.entries()) {
    const values = blocks.values.subarray(firstRow * blocks.columns, (firstRow + words.length) * blocks.columns);
    probability.set(predict[split.fold[i]!]!(values), firstRow);
  }
  return probability;
}

/** The probabilities of its blocks. */
export const probabilityOf = ({ firstRow, words }: ExamplePage, probability: Float64Array): Float64Array =>
  probability.slice(firstRow, firstRow + words.length);

export function judgePage(
  page: ExamplePage,
  probability: Float64Array,
  odds: PageTypeOdds,
  doubt?: Float64Array,
): Omit<PageResult, 'typeIsRight'> {
  const choice = chooseBlocks(page, probability, odds, doubt);
  const { keep } = choice;
  dropNamedBoxes(page, keep, choice.probability);
  const text = page.texts.filter((_, i) => keep[i] === 1).join('\n');
  return {
    probability,
    quality: choice.quality,
    score: page.truth === '' ? undefined : wordScore(text, page.truth),
    gramF1: page.truth === '' ? undefined : gramScore(text, page.truth).f1,
    wanted: snippetShare(text, page.wanted, 1),
    unwanted: snippetShare(text, page.unwanted, 0),
  };
}
