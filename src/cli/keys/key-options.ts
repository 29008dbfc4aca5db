// The options of `npm run keys`, read into the requests that the HTTP interface takes as well.
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import {
  type ChangeKeyRequest,
  type ChangeTeamRequest,
  type CreateKeyRequest,
  changeKeyRequest,
  changeTeamRequest,
  createKeyRequest,
  rotateKeyRequest,
  teamName,
} from '../../contracts/keys.ts';
import { type ApproveClaimRequest, approveClaimRequest } from '../../contracts/onboarding.ts';
import type { KeyRecord } from '../../store/team-store.ts';
import { UsageError } from '../usage-error.ts';

const OPTION_NAMES = [
  ...['team', 'label', 'operations', 'formats', 'networks', 'domains', 'rate', 'credits', 'expires', 'grace'],
  ...['plan', 'concurrency', 'rates', 'zero-data-retention', 'anonymous', 'threat-protection', 'unset'],
] as const;

export type KeyOptions = Partial<Record<(typeof OPTION_NAMES)[number], string>>;

const UNLIMITED = 'unlimited';
const NEVER = 'never';

export function readOptions(args: string[], usage: string): { options: KeyOptions; words: string[] } {
  const options = Object.fromEntries(OPTION_NAMES.map((name) => [name, { type: 'string' as const }]));
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    return { options: values, words: positionals };
  } catch {
    throw new UsageError(usage);
  }
}

export const readNewKey = (options: KeyOptions): CreateKeyRequest => {
  const { expires, label } = options;
  return check(createKeyRequest, {
    limits: limitsOf(options),
    ...(label && { label }),
    ...(expires !== NEVER && expiryOf(expires)),
  });
};

/** What is not named stays; an empty text removes a limit. */
export function readChange(options: KeyOptions, { limits }: Pick<KeyRecord, 'limits'>): ChangeKeyRequest {
  const { expires, label } = options;
  const given = { ...limits, ...limitsOf(options) };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return check(changeKeyRequest, {
    limits: Object.fromEntries(set),
    ...(label !== undefined && { label: label === '' ? null : label }),
    ...(expires === NEVER ? { expiresAt: null } : expiryOf(expires)),
  });
}

/** What an approved key is limited to; nothing by default. */
export const readApproval = (options: KeyOptions): ApproveClaimRequest =>
  check(approveClaimRequest, {
    limits: limitsOf(options),
    ...(options.plan !== undefined && { plan: options.plan }),
    ...(options.expires !== undefined && { expiresInDays: Number(options.expires || Number.NaN) }),
  });

export const readTeamName = (name: string): string => check(teamName, name);

export const readGrace = ({ grace }: KeyOptions): number =>
  check(rotateKeyRequest, grace === undefined ? {} : { graceHours: Number(grace || Number.NaN) }).graceHours;

export function readTeamChange(options: KeyOptions): ChangeTeamRequest {
  const { plan, credits, concurrency, networks, rates, unset } = options;
  const change = {
    plan,
    monthlyCredits: figure(credits),
    maxConcurrency: figure(concurrency),
    networks: list(networks),
    rates: rates === undefined ? undefined : Object.fromEntries(list(rates)!.map(rateOf)),
    zeroDataRetention: options['zero-data-retention'],
    anonymous: options.anonymous,
    threatProtection: options['threat-protection'],
    unset: list(unset),
  };
  return check(
    changeTeamRequest,
    Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
  );
}

/** Only those that were given. Undefined for a limit that is to be removed. */
function limitsOf({ operations, formats, networks, domains, rate, credits }: KeyOptions) {
  const lists = Object.entries({ operations, formats, networks, domains })
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => [name, list(text)]);
  return {
    ...Object.fromEntries(lists),
    ...(rate !== undefined && { requestsPerMinute: limit(rate) }),
    ...(credits !== undefined && { monthlyCredits: limit(credits) }),
  };
}

const list = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

const limit = (text: string): number | undefined => (text === '' || text === UNLIMITED ? undefined : Number(text));

const figure = (text: string | undefined): number | null | undefined =>
  text === UNLIMITED ? null : text === undefined ? undefined : Number(text || Number.NaN);

const rateOf = (text: string) => {
  const [bucket = '', rate] = text.split('=', 2);
  return [bucket, figure(rate ?? '')] as const;
};

/** `30`, `2027-01-31` or a time with its zone. */
function expiryOf(text: string | undefined) {
  if (text === undefined) return {};
  if (/^\d+(\.\d+)?$/.test(text)) return { expiresInDays: Number(text) };
  return { expiresAt: /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text };
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data as z.output<T>;
  const { path, message } = error.issues[0]!;
  throw new UsageError(`${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`);
}
