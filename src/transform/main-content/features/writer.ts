// How a family of features is written: into a block's row, from `at` on, in the order of the family's names.

export type FeatureWriter = (index: number, row: Float32Array, at: number) => void;
