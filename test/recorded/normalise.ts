// What differs from run to run becomes a placeholder, and what is long a hash: ids, keys, tokens, times, durations, ports.
import { sha256 } from '../../src/util/hash.ts';

export interface Variables {
  /** Texts that differ, each with its placeholder: the address of the service, for example. */
  texts: readonly (readonly [text: string, placeholder: string])[];
  /** The time of the service: times around it are its own, others belong to the pages. */
  now: number;
}

const DAY_MS = 86_400_000;
/** The longest time from now that an answer may name: the expiry of keys and jobs. */
const NEAR_MS = 400 * DAY_MS;
const MAX_TEXT = 240;
const SHOWN_TEXT = 60;
/** Longest list of texts, and of anything else. */
const MAX_LIST = { texts: 60, others: 12 };
const SHOWN_LIST = 3;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/([?&#](?:sig|expires|token|uploadRef|login)=)[^&\s")]+/g, '$1<token>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>'],
  [/\bfc-[\w-]{8,}/g, '<key>'],
  [/(_session_)[0-9a-f]{8}\b/g, '$1<hex>'],
  [/\b[0-9a-f]{12,}\b/g, '<hex>'],
  [/\bafter \d+s\b/g, 'after <seconds>'],
];
const ISO = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/g;
const SECRET = /^(?:token|claim_token|csrfToken|uploadRef|cursor)$/;
const MEASURED = /(?:ms|seconds|duration|elapsed|latency|bytes|cpuTime)$/i;
/** The last digits depend on the processor. */
const ESTIMATED = 'confidence';

export function normalise(value: unknown, { texts, now }: Variables): unknown {
  const isNear = (time: number) => Math.abs(time - now) < NEAR_MS || Math.abs(time - Date.now()) < DAY_MS;
  const ofText = (given: string): string => {
    let text = given;
    for (const [found, placeholder] of texts) text = text.replaceAll(found, placeholder);
    for (const [pattern, placeholder] of PATTERNS) text = text.replaceAll(pattern, placeholder);
    text = text.replaceAll(ISO, (time) => (isNear(Date.parse(time)) ? '<time>' : time));
    return text.length > MAX_TEXT ? `${text.slice(0, SHOWN_TEXT)}... <${text.length} characters, ${hash(text)}>` : text;
  };
  const ofKey = (key: string, part: unknown): unknown => {
    if (SECRET.test(key) && typeof part === 'string') return '<token>';
    if ((MEASURED.test(key) || key === ESTIMATED) && typeof part === 'number') return '<number>';
    return of(part);
  };
  const of = (part: unknown): unknown => {
    if (typeof part === 'string') return ofText(part);
    if (typeof part === 'number') return part > DAY_MS && isNear(part) ? '<time>' : part;
    if (Array.isArray(part)) return shortened(part.map(of));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [ofText(key), ofKey(key, each)]));
  };
  return of(value);
}

function shortened(list: unknown[]): unknown[] {
  const isOfTexts = list.every((part) => typeof part === 'string');
  if (list.length <= (isOfTexts ? MAX_LIST.texts : MAX_LIST.others)) return list;
  const rest = list.slice(SHOWN_LIST);
  return [...list.slice(0, SHOWN_LIST), `<${rest.length} more, ${hash(JSON.stringify(rest))}>`];
}

/** The names of the fields with the types of their values, of answers that depend on the machine. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : `<${typeof value}>`;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}

const hash = (text: string): string => sha256(text).slice(0, 12);
