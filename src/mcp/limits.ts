// How much an answer of a tool holds, and how long a call waits, unless the operator sets it.

/** Characters. About 20,000 tokens: assistants refuse or cut answers of more than 25,000. */
export const DEFAULT_MAX_ANSWER = 60_000;

/** Clients give up after a minute unless they are set otherwise. */
export const DEFAULT_WAIT_MS = 45_000;
