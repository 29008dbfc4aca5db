// Decides whether a URL may be fetched for somebody, beyond the address rules that hold for all.

/** Throws ServiceError for a URL that may not be fetched. */
export type CheckUrl = (url: URL, signal: AbortSignal) => Promise<void>;
