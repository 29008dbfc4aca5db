// How the program ends. docs/use/command-line.md lists these for scripts.

export const EXIT = {
  ok: 0,
  /** The service refused, or the page could not be read. */
  failed: 1,
  usage: 2,
  /** No service answers, or it needs a key. */
  unavailable: 3,
  /** Some of several pages failed. */
  partly: 4,
  interrupted: 130,
  terminated: 143,
} as const;
