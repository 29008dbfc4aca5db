// Trains the page-type classifier, which has seven classes. Decoding is stricter for articles than for other pages.
import {
  PAGE_TYPES,
  type PageTypeOdds,
  pageTypeOdds,
  pageTypeRow,
} from '../../src/transform/main-content/model/page-type.ts';
import { classifierOf, type Ensemble } from './ensemble.ts';
import type { ExamplePage } from './examples.ts';
import { PAGE_TYPE_PARAMS, trainMulticlass } from './gbdt.ts';
import { createMatrix, type Matrix, rowOf } from './matrix.ts';

export const typeNumber = ({ type }: ExamplePage): number => (PAGE_TYPES as readonly string[]).indexOf(type);

/** One row per page. `probability` comes from models that did not see the page, as in production. */
export function pageTypeMatrix(pages: readonly ExamplePage[], probability: Float64Array): Matrix {
  const rows = pages.map((page) => {
    const ofPage = probability.subarray(page.firstRow, page.firstRow + page.words.length);
    return pageTypeRow(page, page.page, ofPage);
  });
  const matrix = createMatrix(rows.length, rows[0]!.length);
  for (const [i, row] of rows.entries()) rowOf(matrix, i).set(row);
  return matrix;
}

/** Trains on the pages of known type that `mayUse` allows. */
export function trainPageTypes(
  pages: readonly ExamplePage[],
  rows: Matrix,
  mayUse: (page: ExamplePage, index: number) => boolean,
): Ensemble {
  const labels = Int8Array.from(pages, typeNumber);
  const weights = Float64Array.from(pages, (page, i) => (labels[i]! >= 0 && mayUse(page, i) ? 1 : 0));
  return trainMulticlass(rows, labels, weights, PAGE_TYPES.length, PAGE_TYPE_PARAMS);
}

export interface TypePrediction {
  odds: PageTypeOdds;
  /** Index of the most likely type. */
  likeliest: number;
}

export function createTypePredictor(head: Ensemble, rows: Matrix): (index: number) => TypePrediction {
  const classify = classifierOf(head, rows.columns);
  return (index) => {
    const p = classify(rowOf(rows, index));
    return { odds: pageTypeOdds(p), likeliest: p.indexOf(Math.max(...p)) };
  };
}
