// Threat protection: the policy of a team, and what a request may change of it. These objects are strict: a rule that is
// spelled wrongly must not be ignored.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { domainPattern } from '../team/policy.ts';

/** From the weakest to the strongest. */
export const THREAT_MODES = ['off', 'manual-only', 'normal'] as const;
export type ThreatMode = (typeof THREAT_MODES)[number];

const MAX_ENTRIES = 1_000;
const DEFAULT_THRESHOLD = 75;
const NO_TLD = 'Write a top-level domain in lower case and without a dot, in punycode if it has other letters.';
const NO_ZSCALER =
  'The mode `zscaler` is not available on this server: it needs an account there. Use `normal`, with a risk service that the operator sets.';

const domains = z.array(domainPattern).max(MAX_ENTRIES);
const tlds = z.array(nameText.regex(/^(?:[a-z0-9]{1,63}|xn--[a-z0-9-]{1,59})$/, NO_TLD)).max(MAX_ENTRIES);

const fields = {
  mode: z
    .enum(THREAT_MODES, { error: ({ input }) => (input === 'zscaler' ? NO_ZSCALER : undefined) })
    .describe(
      '`off`: nothing is checked. `manual-only`: the lists below decide. `normal`: then the risk services of the server are asked, for 2 credits a URL.',
    ),
  blacklist: domains.describe(
    'Domains that are blocked. `example.com` is the domain and everything below it, `*.example.com` only what is below it.',
  ),
  whitelist: domains.describe(
    'Domains that are allowed, whatever the other rules say. `example.com` is exactly this host, `*.example.com` is everything below it.',
  ),
  blockedTlds: tlds.describe('Top-level domains that are blocked, such as `zip`.'),
  failurePolicy: z
    .enum(['open', 'closed'])
    .describe('What happens to URLs that no risk service could judge: `open` allows them, `closed` blocks them.'),
  riskScoreThreshold: z
    .int()
    .min(0)
    .max(100)
    .describe('URLs with this risk score or a higher one are blocked. Lower is stricter.'),
};

/** `threatProtection` of a request: replaces the same fields of the policy of the team. */
export const threatProtection = z
  .strictObject(fields)
  .partial()
  .describe('Rules about unsafe URLs for this request, on top of those of the team.');
export type ThreatProtection = z.output<typeof threatProtection>;

export const threatPolicy = z.strictObject({
  mode: fields.mode,
  riskScoreThreshold: fields.riskScoreThreshold.default(DEFAULT_THRESHOLD),
  blacklist: fields.blacklist.default(() => []),
  whitelist: fields.whitelist.default(() => []),
  blockedTlds: fields.blockedTlds.default(() => []),
  failurePolicy: fields.failurePolicy.default('closed'),
  allowRequestOverrides: z
    .boolean()
    .default(true)
    .describe('Whether requests may have a `threatProtection` of their own. If not, those that have one are refused.'),
});
export type ThreatPolicy = z.output<typeof threatPolicy>;

/** What applies to a team that has set nothing. */
export const DEFAULT_THREAT_POLICY: Readonly<ThreatPolicy> = {
  mode: 'off',
  riskScoreThreshold: DEFAULT_THRESHOLD,
  blacklist: [],
  whitelist: [],
  blockedTlds: [],
  failurePolicy: 'closed',
  allowRequestOverrides: true,
};

export const threatPolicyResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      ...threatPolicy.shape,
      configured: z.boolean().describe('Whether the team has saved a policy.'),
      updatedAt: z.string().nullable().describe('When it was saved.'),
    }),
  }),
);
export type ThreatPolicyResponse = z.output<typeof threatPolicyResponse>;
