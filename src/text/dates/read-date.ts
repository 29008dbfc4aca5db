// Parses dates as pages and search providers write them: ISO, mail dates, month names, Unix time, "3 days ago". Ambiguous
// and future dates are rejected: a wrong date misleads more than none.

const DAY_MS = 86_400_000;
const MAX_LENGTH = 100;
/** Earlier years come from broken clocks. */
const MIN_YEAR = 1400;

const MONTHS = [
  'jan january januar jänner janvier janv enero ene gennaio gen janeiro januari',
  'feb february februar février fevrier févr fevr febrero febbraio fevereiro fev februari',
  'mar march märz mrz mars marzo março marco maart mrt',
  'apr april avril avr abril abr aprile',
  'may mai mayo maggio mag maio mei',
  'jun june juni juin junio giugno giu junho',
  'jul july juli juillet juil julio luglio lug julho',
  'aug august août aout agosto ago augustus',
  'sep sept september septembre septiembre setiembre settembre set setembro',
  'oct october oktober okt octobre octubre ottobre ott outubro out',
  'nov november novembre noviembre novembro',
  'dec december dezember dez décembre decembre diciembre dic dicembre dezembro',
];
/** In the languages that are understood, the longest first: a pattern takes the first that fits. */
export const MONTH_NAMES: readonly string[] = MONTHS.flatMap((names) => names.split(' ')).sort(
  (one, other) => other.length - one.length,
);
const MONTH_BY_NAME = new Map(MONTHS.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)));

const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+/i;
const NAME = String.raw`(?<name>\p{L}{3,12})\.?`;
const DAY = String.raw`(?<day>\d{1,2})`;
const YEAR = String.raw`(?<year>\d{4})(?!\d)`;
const DATES = [
  String.raw`^${YEAR}(?:(?<sign>[-/.])(?<month>\d{1,2})(?!\d)(?:\k<sign>${DAY}(?!\d))?)?`,
  String.raw`^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?!\d)`,
  String.raw`^(?<year>\d{4})\s?年\s?(?<month>\d{1,2})\s?月(?:\s?${DAY}\s?日)?`,
  String.raw`^${NAME}\s+${DAY}(?:st|nd|rd|th)?,?\s+${YEAR}`,
  String.raw`^${DAY}(?:st|nd|rd|th|er|\.|º)?[\s-]+(?:of\s|de\s)?${NAME},?[\s-]+(?:de\s)?${YEAR}`,
  String.raw`^${NAME},?\s+${YEAR}`,
  String.raw`^(?<year>\d{4})\s+${NAME}(?:\s+${DAY}(?!\d))?`,
  String.raw`^${DAY}\.\s?(?<month>\d{1,2})\.\s?${YEAR}`,
  String.raw`^(?<one>\d{1,2})(?<sign>[/-])(?<two>\d{1,2})\k<sign>${YEAR}`,
].map((pattern) => new RegExp(pattern, 'u'));

const TIME =
  /^(?:[T,\s·|]|\s-\s|at\s){0,6}(?<hour>\d{1,2}):?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?!\d)(?:\s?(?<half>[ap]\.?m\b\.?))?/i;
const ZONE =
  /^[,\s]{0,3}(?<name>Z|[A-Z]{2,5})?\s?(?:(?<sign>[+-])(?<hours>\d\d?):?(?<minutes>\d\d)?)?(?:\s(?:UTC|GMT))?(?:\s?\([^()]*\))?$/i;
const ZONE_HOURS: Record<string, number> = {
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
  cet: 1,
  cest: 2,
  bst: 1,
};

const RELATIVE = /^(?:about\s|over\s|almost\s|~)?(?<count>\d{1,4}|an?|one)\s?(?<unit>[a-z]{1,7}?)s?\sago$/;
const UNIT_MS: Record<string, number> = {
  second: 1_000,
  sec: 1_000,
  s: 1_000,
  minute: 60_000,
  min: 60_000,
  m: 60_000,
  hour: 3_600_000,
  hr: 3_600_000,
  h: 3_600_000,
  day: DAY_MS,
  d: DAY_MS,
  week: 7 * DAY_MS,
  wk: 7 * DAY_MS,
  w: 7 * DAY_MS,
  month: 30 * DAY_MS,
  mo: 30 * DAY_MS,
  year: 365 * DAY_MS,
  yr: 365 * DAY_MS,
  y: 365 * DAY_MS,
};

/** The time in milliseconds. Without a zone it is UTC; without a time of day, midnight. */
export function readDate(text: string, now: number): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const trimmed = text.trim();
  const time = unixTime(trimmed) ?? relativeTime(trimmed.toLowerCase(), now) ?? calendarTime(trimmed);
  // Zero is the time of a clock that was never set.
  return time === undefined || time === 0 || time > now + DAY_MS ? undefined : time;
}

function unixTime(text: string): number | undefined {
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000;
  return /^\d{13}$/.test(text) ? Number(text) : undefined;
}

function relativeTime(text: string, now: number): number | undefined {
  if (text === 'now' || text === 'just now' || text === 'today') return now;
  if (text === 'yesterday') return now - DAY_MS;
  const { count, unit } = RELATIVE.exec(text)?.groups ?? {};
  const length = unit === undefined ? undefined : UNIT_MS[unit];
  if (count === undefined || length === undefined) return undefined;
  return now - (/^\d/.test(count) ? Number(count) : 1) * length;
}

function calendarTime(given: string): number | undefined {
  // Fourteen digits are a date and a time without a separator.
  const text = given.replace(WEEKDAY, '').replace(/^(\d{8})(\d{6})(?!\d)/, '$1 $2');
  for (const pattern of DATES) {
    const match = pattern.exec(text);
    if (!match) continue;
    const rest = text.slice(match[0].length);
    const clock = clockTime(rest);
    const day = clock === undefined ? undefined : dayOf(match.groups!, rest !== '');
    if (day !== undefined) return day + clock!;
  }
  return undefined;
}

function dayOf(groups: Record<string, string | undefined>, hasMore: boolean): number | undefined {
  const year = Number(groups.year);
  let month = groups.name === undefined ? Number(groups.month ?? 1) : MONTH_BY_NAME.get(groups.name.toLowerCase());
  let day = Number(groups.day ?? 1);
  if (groups.one !== undefined) {
    const one = Number(groups.one);
    const two = Number(groups.two);
    // 4/7 is ambiguous, unless a time follows: then a program wrote it in the American order.
    if (one <= 12 && two <= 12 && one !== two && !hasMore) return undefined;
    [month, day] = one > 12 ? [two, one] : [one, two];
  }
  if (month === undefined || year < MIN_YEAR) return undefined;
  const time = Date.UTC(year, month - 1, day);
  const made = new Date(time);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day ? time : undefined;
}

/** Milliseconds since midnight; undefined if the text after the date is not a time of day. */
function clockTime(rest: string): number | undefined {
  if (rest === '') return 0;
  const match = TIME.exec(rest);
  const { hour, minute, second, fraction, half } = match?.groups ?? {};
  const zone = zoneOffset(rest.slice(match?.[0].length ?? 0));
  if (zone === undefined) return undefined;
  // Without a time, only Z or an offset may follow: other words could pass for a zone.
  if (!match) return /^(?:z|[+-])/i.test(rest) ? zone : undefined;
  let hours = Number(hour);
  if (half !== undefined) hours = (hours % 12) + (/^p/i.test(half) ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return undefined;
  const seconds = (hours * 60 + Number(minute)) * 60 + Number(second ?? 0);
  return seconds * 1_000 + Math.floor(Number(`0.${fraction ?? 0}`) * 1_000) + zone;
}

function zoneOffset(text: string): number | undefined {
  const groups = ZONE.exec(text)?.groups;
  if (!groups) return undefined;
  const { name, sign, hours, minutes } = groups;
  // An unknown zone costs a few hours at most; the day is what matters.
  if (sign === undefined) return -(ZONE_HOURS[name?.toLowerCase() ?? ''] ?? 0) * 3_600_000;
  const offset = Number(hours) * 60 + Number(minutes ?? 0);
  if (offset > 14 * 60) return undefined;
  return (sign === '-' ? offset : -offset) * 60_000;
}
