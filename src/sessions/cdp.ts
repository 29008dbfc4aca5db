// The Chrome DevTools Protocol, as far as sessions deal with it.

export type Params = Record<string, unknown>;

/** The browser refused a command, is gone, or does not answer. */
export class CdpError extends Error {}
