// A table of numbers with one row per example. Threads share it if its values are in a SharedArrayBuffer.

export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  /** Row-major. */
  readonly values: Float32Array;
}

export const createMatrix = (rows: number, columns: number): Matrix => ({
  rows,
  columns,
  values: new Float32Array(new SharedArrayBuffer(rows * columns * 4)),
});

export const rowOf = (matrix: Matrix, row: number): Float32Array =>
  matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns);
