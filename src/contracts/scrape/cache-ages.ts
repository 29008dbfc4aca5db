// How old a cached copy may be when the caller does not say. Apart from the schemas, because threads without them need it.

const DAY_MS = 86_400_000;
export const DEFAULT_MAX_AGE_MS = 2 * DAY_MS;
export const LOCKDOWN_MAX_AGE_MS = 2 * 365 * DAY_MS;
