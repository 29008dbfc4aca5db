// The robots.txt rules for one crawler: which URLs it may fetch (RFC 9309, section 2.2).
import { randomToken } from '../../util/ids.ts';

export interface RobotsRules {
  /** Checks only path and query: the rules must come from the URL's own origin. */
  allows(url: URL): boolean;
  /** What checking a URL of so many characters may cost, in steps of a few nanoseconds. */
  stepsFor(characters: number): number;
  /** Seconds between two requests; not part of the standard. */
  crawlDelay?: number;
  /** What the rules were made of, for another thread. */
  source: RobotsSource;
}

export interface RobotsSource {
  /** Names the rules in this process. */
  id: string;
  rules: readonly Rule[];
}

export interface Rule {
  allow: boolean;
  pattern: string;
}

interface Pattern {
  allow: boolean;
  /** The longest matching rule wins, measured in octets. */
  octets: number;
  /** The literals between the wildcards. */
  parts: string[];
  /** Ends with `$`: the last part must end the URL. */
  isAnchored: boolean;
  namesQuery: boolean;
}

// Limits the cost of checking one URL, in steps of a few nanoseconds. The largest real files (hundreds of wildcard rules,
// hundreds of characters) stay below it. Hostile input makes string search slower the longer a part is.
const MAX_STEPS = 500_000;
const STEPS_PER_PART = 32;
const OCTETS_PER_STEP = 128;

export function compileRules(rules: readonly Rule[], crawlDelay?: number): RobotsRules {
  const prefixes = new Map<string, boolean>();
  const wildcards: Pattern[] = [];
  for (const rule of rules) {
    const pattern = readPattern(rule);
    const [first = ''] = pattern.parts;
    if (pattern.parts.length > 1 || pattern.isAnchored) wildcards.push(pattern);
    else if (pattern.allow || !prefixes.has(first)) prefixes.set(first, pattern.allow);
  }
  const steps = wildcards.reduce((sum, { parts }) => sum + parts.length * STEPS_PER_PART, 0);
  const stepsPerCharacter = wildcards.reduce((sum, { octets }) => sum + 1 + octets / OCTETS_PER_STEP, 0);
  // The first match wins: longest rule first, and `allow` before `disallow` at equal length.
  wildcards.sort((a, b) => b.octets - a.octets || Number(b.allow) - Number(a.allow));
  const lengths = [...new Set(Array.from(prefixes.keys(), ({ length }) => length))].sort((a, b) => b - a);

  const stepsFor = (characters: number) => steps + stepsPerCharacter * characters;

  return {
    crawlDelay,
    stepsFor,
    source: { id: randomToken(8), rules },
    allows(url) {
      if (url.pathname === '/robots.txt') return true;
      const plain = normalise(url.pathname + url.search);
      // Only hostile files get here, and not fetching a URL never breaks the rules.
      if (stepsFor(plain.length) > MAX_STEPS) return false;
      const encoded = encodeQuery(plain);
      const fits = (length: number) => length <= encoded.length && prefixes.has(encoded.slice(0, length));
      const octets = lengths.find(fits) ?? 0;
      const allowedByPrefix = prefixes.get(encoded.slice(0, octets)) ?? true;
      for (const pattern of wildcards) {
        if (pattern.octets < octets || (pattern.octets === octets && allowedByPrefix)) break;
        if (matches(pattern, pattern.namesQuery ? encoded : plain)) return pattern.allow;
      }
      return allowedByPrefix;
    },
  };
}

function readPattern({ allow, pattern }: Rule): Pattern {
  const isAnchored = pattern.endsWith('$');
  const literals = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  const text = encodeQuery(literals.map(normalise).join('*'));
  return {
    allow,
    octets: text.length + Number(isAnchored),
    parts: text.split('*'),
    isAnchored,
    namesQuery: text.includes('?'),
  };
}

/** Takes the first occurrence of each part after the previous one. Needs no backtracking: if any match exists, so does this. */
function matches({ parts, isAnchored }: Pattern, path: string): boolean {
  const first = parts[0]!;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const end = isAnchored ? parts.length - 1 : parts.length;
  for (let index = 1; index < end; index += 1) {
    const part = parts[index]!;
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isAnchored) return true;
  if (end === 0) return at === path.length;
  const last = parts[end]!;
  return path.length - at >= last.length && path.endsWith(last);
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;
// Leaves out the apostrophe, which URLs escape in the query but not in the path.
const NOT_PLAIN = /%([0-9a-fA-F]{2})|[^A-Za-z0-9\-._~:/?#[\]@!&()+,;=]/gu;

/** Gives each character one spelling: unescaped where possible, else an upper-case escape. */
function normalise(text: string): string {
  return text.toWellFormed().replace(NOT_PLAIN, (found, hex?: string) => {
    if (hex === undefined) return escaped(found);
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}

// A literal `*` or `$` is written %2A or %24 in rules; encodeURIComponent does not escape all of these.
const SPECIAL: Readonly<Record<string, string>> = { '*': '%2A', $: '%24', "'": '%27' };
const escaped = (character: string): string => SPECIAL[character] ?? encodeURIComponent(character);

/** The standard escapes `:` and `/` in the query, where sites use both spellings. */
function encodeQuery(text: string): string {
  const start = text.indexOf('?') + 1;
  if (start === 0) return text;
  return text.slice(0, start) + text.slice(start).replaceAll(':', '%3A').replaceAll('/', '%2F');
}
