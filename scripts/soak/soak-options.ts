// What every soak takes.

export interface SoakOptions {
  count?: number;
  /** How long a run goes on that has no count. */
  minutes?: number;
  /** The same seed makes the same choices; timing still differs between runs. */
  seed: number;
}
