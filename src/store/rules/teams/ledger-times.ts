// How long the ledger keeps what, and the hours of its totals.
export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** For a week, each charge can be traced to its request. Totals answer everything older. */
export const ENTRY_RETENTION_MS = 7 * DAY_MS;
/** Thirteen months of 31 days, so that the same month of last year can be compared. */
export const TOTAL_RETENTION_MS = 13 * 31 * DAY_MS;
export const REQUEST_RETENTION_MS = DAY_MS;

export const startOfHour = (time: number): number => Math.floor(time / HOUR_MS) * HOUR_MS;
