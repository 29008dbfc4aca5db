// What an operator grants a team, and what a team grants each of its keys. A field that is absent sets no limit of its own:
// the plan, or the settings of the service, decide.
import { z } from 'zod';
import { readDomainPattern } from '../../urls/domain-patterns.ts';
import { readNetwork } from '../../urls/networks.ts';
import { boundedRecord, nameText } from '../bounds.ts';
import { FORMAT_TYPES } from '../formats/formats.ts';
import { retention } from '../retention.ts';
import { domainRanking } from './domain-ranking.ts';

/** Calls that share a rate limit, by the names of the public interface. */
export const RATE_BUCKETS = [
  'scrape',
  'crawl',
  'crawlStatus',
  'map',
  'search',
  'extract',
  'extractStatus',
  'account',
  'browser',
  'browserExecute',
  'monitor',
] as const;
export type RateBucket = (typeof RATE_BUCKETS)[number];

/** Groups of calls that a key can be restricted to. Status and cancel belong to the group of what they are about. */
export const KEY_GROUPS = [
  'scrape',
  'batch-scrape',
  'crawl',
  'map',
  'search',
  'extract',
  'agent',
  'parse',
  'browser',
  'monitor',
  'collection',
  'research',
] as const;
export type KeyGroup = (typeof KEY_GROUPS)[number];

/** What a team may do with a feature: nothing, what its requests ask for, or it applies to every request. */
export const GRANTS = ['absent', 'allowed', 'forced'] as const;
export type Grant = (typeof GRANTS)[number];

const MAX_NETWORKS = 100;
const MAX_DOMAINS = 1_000;
const MAX_PER_MINUTE = 10_000_000;
const MAX_CREDITS = 1_000_000_000_000;

export const perMinute = z.int().min(1).max(MAX_PER_MINUTE);
const monthlyCredits = z.int().min(0).max(MAX_CREDITS).describe('Credits a month.');
const network = nameText.refine(isNetwork, {
  error: 'Write an IP address or a network in CIDR notation, for example 10.0.0.0/8 or fd00::/8.',
});
/** As hosts are compared: in lower case and punycode, without a root dot. */
export const domainPattern = nameText.transform((text, context): string => {
  const pattern = readDomainPattern(text);
  if (pattern !== undefined) return pattern;
  const message = 'Write a domain or `*.domain`, without protocol, path or port.';
  context.addIssue({ code: 'invalid_format', format: 'domain', input: text, message });
  return z.NEVER;
});
const networks = z
  .array(network)
  .max(MAX_NETWORKS)
  .describe('IP addresses and CIDR ranges that requests may come from.');

/** Null in `rates`, `maxConcurrency`, `maxQueued` and `monthlyCredits` means unlimited, whatever the plan says. */
export const teamSettings = z.strictObject({
  plan: nameText.optional().describe('Name of the plan; its values apply where this team has none of its own.'),
  rates: boundedRecord(nameText, perMinute.nullable(), RATE_BUCKETS.length)
    .refine((rates) => Object.keys(rates).every((name) => (RATE_BUCKETS as readonly string[]).includes(name)), {
      error: `Rates can be set for: ${RATE_BUCKETS.join(', ')}.`,
    })
    .optional()
    .describe('Requests a minute, by bucket.'),
  maxConcurrency: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .optional()
    .describe('Maximum number of pages at the same time.'),
  maxQueued: z.int().min(0).max(1_000_000).nullable().optional().describe('Maximum number of requests that wait.'),
  monthlyCredits: monthlyCredits.nullable().optional().describe('Credits a month; null for no limit.'),
  networks: networks.optional(),
  retention: retention.optional(),
  zeroDataRetention: z.enum(GRANTS).optional().describe('Whether requests may leave, or never leave, anything behind.'),
  anonymous: z.enum(GRANTS).optional().describe('Whether searches may be, or are always, anonymous.'),
  threatProtection: z
    .enum(GRANTS)
    .optional()
    .describe('The team may have a threat policy. `forced`: the team cannot turn it off.'),
  ranking: domainRanking.optional().describe('Domains that searches put first, higher, lower, or leave out.'),
});
export type TeamSettings = z.output<typeof teamSettings>;

/** An empty list restricts nothing. Unknown names are refused, because a misspelt limit would limit nothing. */
export const keyLimits = z.strictObject({
  operations: z
    .array(z.enum(KEY_GROUPS))
    .max(KEY_GROUPS.length)
    .optional()
    .describe('The calls that the key may make; all by default.'),
  formats: z.array(z.enum(FORMAT_TYPES)).max(50).optional().describe('Formats that may be requested.'),
  networks: networks.optional(),
  domains: z
    .array(domainPattern)
    .max(MAX_DOMAINS)
    .optional()
    .describe('Domains that may be fetched: `example.com` or `*.example.com`.'),
  requestsPerMinute: perMinute.optional().describe('Maximum number of requests a minute.'),
  monthlyCredits: monthlyCredits.optional(),
  ranking: domainRanking.optional().describe('The same as for the team. It wins where both name a domain.'),
});
export type KeyLimits = z.output<typeof keyLimits>;

function isNetwork(text: string): boolean {
  try {
    return readNetwork(text) !== undefined;
  } catch {
    return false;
  }
}
