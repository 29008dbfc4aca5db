// Agent providers whose identity assertions are accepted (TRAWL_AGENT_ISSUERS): a list of issuer URLs, or JSON that says more.
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { nameText } from '../../contracts/bounds.ts';
import { KEY_GROUPS, type KeyLimits, keyLimits } from '../../contracts/team/policy.ts';
import { bareHost } from '../../urls/url.ts';
import { SettingError } from '../../util/setting-error.ts';

export interface AgentIssuer {
  /** The `iss` of its assertions, compared character by character. */
  issuer: string;
  /** Where its public keys are: an http or https URL, or the path of a file. */
  jwks: string;
  /** The team of its agents. Absent: each person has a team, so that none sees what others do. */
  team?: string;
  /** What its keys are limited to. */
  limits: KeyLimits;
  /** Only persons with a verified e-mail address of these domains. Empty: all. */
  emailDomains: readonly string[];
  expiresInDays?: number;
}

const MAX_ISSUERS = 100;
/** A key of the operator's team manages the whole service. */
const OPERATOR_TEAM = 'default';

const issuerSetting = z
  .object({
    issuer: z.string().min(1).max(2_000),
    jwks: z.string().min(1).max(2_000).optional(),
    team: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'a team name has 1 to 64 letters, digits, dots, dashes or underscores')
      .refine((name) => name !== OPERATOR_TEAM, { error: 'agents cannot be of the team `default`' })
      .optional(),
    scopes: z.array(z.enum(KEY_GROUPS)).max(KEY_GROUPS.length).optional(),
    emailDomains: z.array(nameText.min(1)).max(100).default([]),
    requestsPerMinute: keyLimits.shape.requestsPerMinute,
    monthlyCredits: keyLimits.shape.monthlyCredits,
    expiresInDays: z.int().min(1).max(3_650).optional(),
  })
  .strict();
type IssuerSetting = z.output<typeof issuerSetting>;

/** Throws SettingError. */
export function parseAgentIssuers(text: string): readonly AgentIssuer[] {
  const entries = text.trimStart().startsWith('[') ? readJson(text) : readList(text);
  const parsed = z.array(issuerSetting).max(MAX_ISSUERS).safeParse(entries);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new SettingError(`${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`);
  }
  const issuers = parsed.data.map(readIssuer);
  const names = issuers.map(({ issuer }) => issuer);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new SettingError(`the issuer ${twice} is in it twice`);
  return issuers;
}

const readList = (text: string): Partial<IssuerSetting>[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((issuer) => ({ issuer }));

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingError(
      'it must be a list of issuer URLs, or JSON such as [{"issuer": "https://agents.example.com"}]',
    );
  }
}

function readIssuer({ issuer, jwks, scopes, requestsPerMinute, monthlyCredits, ...rest }: IssuerSetting): AgentIssuer {
  const keysAt = jwks ?? defaultJwks(issuer);
  if (isJwksUrl(keysAt)) checkJwksUrl(keysAt);
  return {
    issuer,
    jwks: keysAt,
    limits: {
      ...(scopes && scopes.length > 0 && { operations: scopes }),
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(monthlyCredits !== undefined && { monthlyCredits }),
    },
    ...rest,
    emailDomains: rest.emailDomains.map((domain) => domain.toLowerCase().replace(/^@/, '')),
  };
}

function defaultJwks(issuer: string): string {
  if (!isJwksUrl(issuer))
    throw new SettingError(`the issuer ${issuer} is not a URL, so it needs "jwks": a URL or a file`);
  return `${issuer.replace(/\/+$/, '')}/.well-known/jwks.json`;
}

export const isJwksUrl = (jwks: string): boolean => /^https?:\/\//i.test(jwks);

/** Who can change the keys on their way can make assertions, so they come encrypted unless they stay in the own network. */
function checkJwksUrl(text: string): void {
  const url = URL.parse(text);
  if (url === null || url.username + url.password !== '') throw new SettingError(`${text} is not a URL of keys`);
  if (url.protocol === 'http:' && !isOwnNetwork(bareHost(url)))
    throw new SettingError(`${text} must be an https URL: http is only for addresses in your own network`);
}

function isOwnNetwork(host: string): boolean {
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== 'unicast';
  return !host.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(host);
}

/** What the route of the operator must be able to reach. */
export const issuerOrigins = (issuers: readonly AgentIssuer[]): string[] =>
  issuers.flatMap(({ jwks }) => (isJwksUrl(jwks) ? [new URL(jwks).origin] : []));
