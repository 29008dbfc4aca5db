// The rules of robots.txt that bind one crawler: which addresses it may fetch (RFC 9309, section 2.2).

export interface RobotsRules {
  /** May this address be fetched? Only its path and query count: ask the file of its own origin. */
  allows(url: URL): boolean;
  /** Seconds that the site wants between two requests; not part of the standard. */
  crawlDelay?: number;
}

export interface Rule {
  allow: boolean;
  pattern: string;
}

interface Pattern {
  allow: boolean;
  /** The rule that is longest in octets wins. */
  octets: number;
  /** What stands between the wildcards; without wildcards, the one part. */
  parts: string[];
  /** Ended by `$`: the last part must be the end of the address. */
  isAnchored: boolean;
  namesQuery: boolean;
}

// What one address may cost, in steps of some nanoseconds: hundreds of rules with wildcards for hundreds of characters, as in
// the largest of real files. The built-in search takes longer the longer a part is, if both sides are made for it.
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
  // The first that matches wins: the longest, and of two as long the one that allows.
  wildcards.sort((a, b) => b.octets - a.octets || Number(b.allow) - Number(a.allow));
  const lengths = [...new Set(Array.from(prefixes.keys(), ({ length }) => length))].sort((a, b) => b - a);

  return {
    crawlDelay,
    allows(url) {
      if (url.pathname === '/robots.txt') return true;
      const plain = normalise(url.pathname + url.search);
      // Nobody writes such a file but to keep us busy, and not to fetch an address is always within the rules.
      if (steps + stepsPerCharacter * plain.length > MAX_STEPS) return false;
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

/** Each part at its first place behind the one before: were there any match, there would be this one. No way back, so no explosion. */
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
// The apostrophe is missing on purpose: URLs have it escaped in the query but not in the path.
const NOT_PLAIN = /%([0-9a-fA-F]{2})|[^A-Za-z0-9\-._~:/?#[\]@!&()+,;=]/gu;

/** One spelling for whatever means the same: what needs no escape has none, everything else has one, in capitals. */
function normalise(text: string): string {
  return text.toWellFormed().replace(NOT_PLAIN, (found, hex?: string) => {
    if (hex === undefined) return escaped(found);
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}

// A `*` or `$` in an address is only itself, and rules write it %2A or %24; encodeURIComponent leaves some of these alone.
const SPECIAL: Readonly<Record<string, string>> = { '*': '%2A', $: '%24', "'": '%27' };
const escaped = (character: string): string => SPECIAL[character] ?? encodeURIComponent(character);

/** The standard has `:` and `/` escaped in the query, where sites write addresses in both ways. */
function encodeQuery(text: string): string {
  const start = text.indexOf('?') + 1;
  if (start === 0) return text;
  return text.slice(0, start) + text.slice(start).replaceAll(':', '%3A').replaceAll('/', '%2F');
}
