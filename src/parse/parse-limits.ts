// Limits for parsing one file. A file that exceeds them is rejected as too complex.

const MB = 1024 * 1024;

export const ZIP_LIMITS = {
  entries: 20_000,
  /** Unpacked size of one entry. */
  entryBytes: 256 * MB,
  /** Unpacked size of all entries, both as declared and as read. */
  totalBytes: 512 * MB,
  /** Maximum unpacked bytes per byte of the file... */
  ratio: 150,
  /** ...above this unpacked size: small sheets full of blanks compress well and are harmless. */
  ratioFloorBytes: 64 * MB,
} as const;

export const PROCESS_LIMITS = {
  /** Per file; equal to the longest time a caller may wait. */
  timeMs: 300_000,
  /** Extra time after the caller's deadline, so that a parser that respects it can still return its result. */
  graceMs: 2_000,
  /** Resident memory of the process and its children. */
  memoryBytes: 1024 * MB,
  /** Total length of HTML or Markdown, pages and blocks, in UTF-16 units. */
  outputLength: 64 * MB,
  warnings: 50,
  /** An idle process is ended after this time... */
  idleMs: 30_000,
  /** ...but the last one stays longer, so that occasional files find a process ready. */
  lastIdleMs: 300_000,
  /** A process is replaced after this many files, because native code leaks. */
  files: 200,
  /** A process that still holds more than this after a file is ended. */
  idleBytes: 400 * MB,
} as const;

export type ProcessLimits = { readonly [name in keyof typeof PROCESS_LIMITS]: number };
