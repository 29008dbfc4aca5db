// What a check of the installation found. `skipped`: it could not be made, and the text says why.

export interface Finding {
  check: string;
  state: 'ok' | 'warn' | 'fail' | 'skipped';
  /** What was found. */
  text: string;
  /** What to do about it. */
  todo?: string;
}
