// Dates of searches and results, in the spellings of other programs.

const PERIODS: Readonly<Record<string, string>> = { hour: 'h', day: 'd', week: 'w', month: 'm', year: 'y' };

/** `week` or `w`; undefined for any other word. */
export const tbsOfPeriod = (period: string): string | undefined => {
  const unit = PERIODS[period] ?? Object.values(PERIODS).find((letter) => letter === period);
  return unit && `qdr:${unit}`;
};

/** Between two days, both included, each `YYYY-MM-DD` with or without a time. Undefined without any. */
export function tbsBetween(from: string | undefined, until: string | undefined): string | undefined {
  if (from === undefined && until === undefined) return undefined;
  const day = (iso: string) => `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)}`;
  return ['cdr:1', from && `cd_min:${day(from)}`, until && `cd_max:${day(until)}`].filter(Boolean).join(',');
}

/** A date of a result or of a page; undefined where it names none. */
export function readTime(date: unknown): Date | undefined {
  if (typeof date !== 'string') return undefined;
  const time = new Date(date);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
