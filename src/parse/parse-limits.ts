// What one document may take. A file that needs more is refused, whatever it is: nobody reads what is beyond these.

const MB = 1024 * 1024;

export const ARCHIVE_LIMITS = {
  entries: 20_000,
  /** Of one entry, unpacked. */
  entryBytes: 256 * MB,
  /** Of all entries, as declared and as read. */
  totalBytes: 512 * MB,
  /** Unpacked bytes for each byte of the file... */
  ratio: 150,
  /** ...once there are this many: sheets of blanks are harmless. */
  ratioFloorBytes: 64 * MB,
} as const;

export const PROCESS_LIMITS = {
  /** For one document: as long as a caller may wait. */
  timeMs: 300_000,
  /** After the time the caller gives: a parser that keeps to it may finish its sentence. */
  graceMs: 2_000,
  /** Of the process and all it started, in main memory. */
  memoryBytes: 1024 * MB,
  /** Of what a parser gives: Markdown or HTML, pages and blocks together, in UTF-16 units. */
  outputLength: 64 * MB,
  warnings: 50,
  /** How long a process without work is kept... */
  idleMs: 30_000,
  /** ...and the last of them, so that a document now and then finds one ready. */
  lastIdleMs: 300_000,
  /** Documents that one process reads before another takes its place: native code leaks. */
  documents: 200,
  /** A process that holds more than this after a document is ended. */
  restBytes: 400 * MB,
} as const;

export type ProcessLimits = { readonly [name in keyof typeof PROCESS_LIMITS]: number };
