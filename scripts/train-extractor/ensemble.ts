// The trees that training grows node by node, in the format that the product reads.
import { readEnsemble, type SerialisedEnsemble } from '../../src/transform/main-content/model/ensemble.ts';
import {
  createClassifier,
  createPredictor,
  type Predictor,
  type RowClassifier,
} from '../../src/transform/main-content/model/predictor.ts';

/** Thresholds and values are exact in float32. A row goes left if its value is <= the threshold. */
export interface Ensemble extends SerialisedEnsemble {
  /** Total gain of the splits on each feature. */
  readonly gain: Float64Array;
}

export const createEnsemble = (classes: number, columns: number): Ensemble => ({
  classes,
  roots: [],
  feature: [],
  threshold: [],
  left: [],
  right: [],
  value: [],
  gain: new Float64Array(columns),
});

/** Adds a leaf and returns its number; `splitLeaf` may turn it into an inner node later. */
export function addLeaf(ensemble: Ensemble): number {
  ensemble.threshold.push(0);
  ensemble.left.push(0);
  ensemble.right.push(0);
  ensemble.value.push(0);
  return ensemble.feature.push(-1) - 1;
}

export function splitLeaf(ensemble: Ensemble, node: number, feature: number, threshold: number): [number, number] {
  ensemble.feature[node] = feature;
  ensemble.threshold[node] = threshold;
  const left = addLeaf(ensemble);
  const right = addLeaf(ensemble);
  ensemble.left[node] = left;
  ensemble.right[node] = right;
  return [left, right];
}

/** The probability of the positive class for each row, as the product computes it. */
export const predictorOf = (ensemble: Ensemble, columns: number): Predictor =>
  createPredictor(readEnsemble(ensemble), columns);

/** The probability of each class for one row, as the product computes it. */
export const classifierOf = (ensemble: Ensemble, columns: number): RowClassifier =>
  createClassifier(readEnsemble(ensemble), columns);

/** The format of data/, with numbers as short as their float32 allows. */
export const serialise = ({ gain: _, ...ensemble }: Ensemble): SerialisedEnsemble => ({
  ...ensemble,
  threshold: ensemble.threshold.map(shortest),
  value: ensemble.value.map(shortest),
});

/** The shortest decimal that parses to the same float32. */
function shortest(value: number): number {
  const exact = Math.fround(value);
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(exact.toPrecision(digits));
    if (Math.fround(short) === exact) return short;
  }
  return exact;
}
