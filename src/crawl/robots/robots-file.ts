// Parses robots.txt by RFC 9309: groups of rules by crawler, and the sitemaps that the site declares.
import { compileRules, type RobotsRules, type Rule } from './robots-rules.ts';

export interface RobotsFile {
  /** The merged rules of all groups that name the crawler, else of the groups for everyone (`*`). */
  rulesFor(userAgent: string): RobotsRules;
  /** As written: may be relative or invalid. */
  sitemaps: string[];
}

interface Group {
  rules: Rule[];
  crawlDelay?: number;
}

type Groups = Map<string, Set<Group>>;

/** The rest of a larger file is ignored. */
export const MAX_ROBOTS_BYTES = 500 * 1024;
const MAX_SITEMAPS = 1_000;
const MAX_CRAWL_DELAY = 300;
const EVERYONE = '*';

export function parseRobots(text: string): RobotsFile {
  const { groups, sitemaps } = readGroups(withinLimit(text).split(/[\r\n]+/));
  const compiled = new Map<string, RobotsRules>();
  return {
    sitemaps,
    rulesFor(userAgent) {
      const name = namesOf(userAgent).find((candidate) => groups.has(candidate)) ?? EVERYONE;
      const rules = compiled.get(name) ?? merge(groups.get(name) ?? new Set());
      compiled.set(name, rules);
      return rules;
    },
  };
}

/** Cuts at a line end: half a rule would be a different rule. */
function withinLimit(text: string): string {
  if (text.length <= MAX_ROBOTS_BYTES / 3) return text;
  const bytes = Buffer.from(text.slice(0, MAX_ROBOTS_BYTES + 1));
  if (bytes.length <= MAX_ROBOTS_BYTES) return text;
  const start = bytes.subarray(0, MAX_ROBOTS_BYTES);
  return start.toString('utf8', 0, Math.max(start.lastIndexOf('\n'), start.lastIndexOf('\r'), 0));
}

function readGroups(lines: string[]): { groups: Groups; sitemaps: string[] } {
  const groups: Groups = new Map();
  const sitemaps: string[] = [];
  let group: Group | undefined;
  let isNaming = false;

  const addName = (value: string) => {
    if (!group || !isNaming) group = { rules: [] };
    // A delay applies to the names before it, but does not end the list of names: only standard records do.
    else if (group.crawlDelay !== undefined) group = { rules: group.rules };
    isNaming = true;
    addTo(groups, productOf(value), group);
  };
  const addRule = (allow: boolean, value: string) => {
    isNaming = false;
    // Other values cannot match a path, and an empty one forbids nothing.
    if (group && /^[/*]/.test(value)) group.rules.push({ allow, pattern: value });
  };
  const addDelay = (value: string) => {
    if (group) group.crawlDelay = longest(group.crawlDelay, readDelay(value));
  };

  for (const line of lines) {
    const [key, value] = readLine(line);
    if (key === 'user-agent') addName(value);
    else if (key === 'allow' || key === 'disallow') addRule(key === 'allow', value);
    else if (key === 'crawl-delay') addDelay(value);
    else if (key === 'sitemap' && value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
  }
  return { groups, sitemaps };
}

function readLine(line: string): [key: string, value: string] {
  const comment = line.indexOf('#');
  const text = comment < 0 ? line : line.slice(0, comment);
  const colon = text.indexOf(':');
  return colon < 0 ? ['', ''] : [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
}

function addTo(groups: Groups, product: string, group: Group): void {
  const named = groups.get(product);
  if (named) named.add(group);
  else groups.set(product, new Set([group]));
}

/** The product name in a user agent: "trawl" for "Trawl/1.0 (+https://...)". An empty name matches no rule. */
function productOf(userAgent: string): string {
  if (/^\*(?:\s|$)/.test(userAgent)) return EVERYONE;
  return /^[a-z_-]{0,100}/i.exec(userAgent)![0].toLowerCase();
}

/** The names that match a crawler, most specific first: "news-bot-images" also matches "news-bot" and "news". */
function namesOf(userAgent: string): string[] {
  const product = productOf(userAgent.trim());
  const ends = Array.from(product.matchAll(/[_-]/g), ({ index }) => product.slice(0, index));
  return [...ends, product].reverse().filter((name) => name !== '');
}

function merge(groups: Set<Group>): RobotsRules {
  // Groups that differ only in their delay share one list of rules.
  const lists = new Set(Array.from(groups, ({ rules }) => rules));
  const delays = Array.from(groups, ({ crawlDelay }) => crawlDelay);
  return compileRules([...lists].flat(), delays.reduce(longest, undefined));
}

function readDelay(value: string): number | undefined {
  const seconds = Number.parseFloat(value);
  return seconds >= 0 ? Math.min(seconds, MAX_CRAWL_DELAY) : undefined;
}

/** Where a site names several delays, the longest is the safest choice. */
const longest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
