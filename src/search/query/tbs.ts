// Parses the `tbs` parameter: time filters and sorting by date, as comma-separated tokens.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { TimePreset, TimeRange } from '../../contracts/search/search-query.ts';

export interface TimeFilter {
  time?: TimeRange;
  sortByDate: boolean;
}

const DAY = 86_400_000;
const UNITS: Record<string, { preset: TimePreset; ms: number }> = {
  h: { preset: 'hour', ms: DAY / 24 },
  d: { preset: 'day', ms: DAY },
  w: { preset: 'week', ms: 7 * DAY },
  m: { preset: 'month', ms: 30 * DAY },
  y: { preset: 'year', ms: 365 * DAY },
};

const ALLOWED =
  'Allowed are qdr:h, qdr:d, qdr:w, qdr:m and qdr:y (past hour to past year, or with a count as in qdr:d3), ' +
  'cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY, and sbd:1 (sort by date), combined with commas.';

const VALUES: Record<string, RegExp> = {
  qdr: /^[hdwmy][0-9]{0,3}$/,
  cdr: /^[01]$/,
  cd_min: /^[0-9]{1,2}\/[0-9]{1,2}\/[0-9]{4}$/,
  cd_max: /^[0-9]{1,2}\/[0-9]{1,2}\/[0-9]{4}$/,
  sbd: /^[01]$/,
};

/** Why a text is not a valid `tbs`; undefined if it is valid. */
export function tbsProblem(text: string): string | undefined {
  try {
    readTbs(text, 0);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return (error.details as { message: string }[])[0]!.message;
    throw error;
  }
}

/** An empty text means no filter. Throws for unknown tokens: ignoring a filter would return wrong results. */
export function readTbs(text: string, now: number): TimeFilter {
  const tokens = readTokens(text);
  const sortByDate = tokens.get('sbd') === '1';
  const preset = tokens.get('qdr');
  const hasDates = tokens.has('cd_min') || tokens.has('cd_max');
  if (tokens.get('cdr') === '0' && hasDates) throw refusal('cdr:0 contradicts cd_min and cd_max.');
  if (tokens.get('cdr') === '1' && !hasDates) throw refusal('cdr:1 needs cd_min, cd_max or both.');
  if (preset !== undefined && hasDates) throw refusal('qdr and a custom date range (cdr) exclude each other.');
  if (preset !== undefined) return { time: presetRange(preset, now), sortByDate };
  if (hasDates) return { time: customRange(tokens.get('cd_min'), tokens.get('cd_max')), sortByDate };
  return { sortByDate };
}

function readTokens(text: string): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const part of text.split(',')) {
    const token = part.trim().toLowerCase();
    if (token === '') continue;
    const colon = token.indexOf(':');
    const name = token.slice(0, Math.max(colon, 0)).trim();
    const value = token.slice(colon + 1).trim();
    if (!Object.hasOwn(VALUES, name) || !VALUES[name]!.test(value))
      throw refusal(`${quote(part)} is not a time filter.`);
    if ((tokens.get(name) ?? value) !== value) throw refusal(`${name} is given twice, with different values.`);
    tokens.set(name, value);
  }
  return tokens;
}

function presetRange(value: string, now: number): TimeRange {
  const { preset, ms } = UNITS[value[0]!]!;
  const count = Number(value.slice(1) || 1);
  if (count === 0) throw refusal(`${quote(`qdr:${value}`)} spans no time.`);
  return { from: now - count * ms, ...(count === 1 && { preset }) };
}

function customRange(min: string | undefined, max: string | undefined): TimeRange {
  const from = min === undefined ? undefined : readDay(min);
  const last = max === undefined ? undefined : readDay(max);
  if (from !== undefined && last !== undefined && from > last)
    throw refusal(`cd_min (${min}) is after cd_max (${max}).`);
  return { ...(from !== undefined && { from }), ...(last !== undefined && { until: last + DAY }) };
}

/** The start of that day in UTC. */
function readDay(text: string): number {
  const [month, day, year] = text.split('/').map(Number) as [number, number, number];
  const date = new Date(0);
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    throw refusal(`${text} is not a valid date: dates are MM/DD/YYYY.`);
  }
  return date.getTime();
}

const quote = (token: string): string => {
  const text = token.trim();
  return `\`${text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text}\``;
};

function refusal(problem: string): ServiceError {
  const message = `\`tbs\`: ${problem} ${ALLOWED}`;
  return new ServiceError('INVALID_SEARCH_REQUEST', { details: [{ code: 'custom', path: ['tbs'], message }] });
}
