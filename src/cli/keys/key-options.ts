// The flags of `trawl keys`, read into the requests that the HTTP interface takes as well.
import type { z } from 'zod';
import { type ApproveClaimRequest, approveClaimRequest } from '../../contracts/onboarding/onboarding.ts';
import {
  type ChangeKeyRequest,
  type ChangeTeamRequest,
  type CreateKeyRequest,
  changeKeyRequest,
  changeTeamRequest,
  createKeyRequest,
  rotateKeyRequest,
  teamName,
} from '../../contracts/team/keys.ts';
import type { KeyRecord } from '../../store/ports/teams/team-store.ts';
import type { Flag } from '../command.ts';
import { UsageError } from '../usage-error.ts';

const text = (value: string, about: string): Flag => ({ type: 'string', value, text: about });

const RANKING = {
  block: text('LIST', 'Searches leave these domains out.'),
  lower: text('LIST', 'Searches move these domains down.'),
  raise: text('LIST', 'Searches move these domains up.'),
  pin: text('LIST', 'Searches put these domains first.'),
} satisfies Record<string, Flag>;

export const LIMITS = {
  label: text('TEXT', 'What the key is for.'),
  operations: text('LIST', 'Only these operations.'),
  formats: text('LIST', 'Only these formats.'),
  networks: text('LIST', 'Only from these addresses and networks.'),
  domains: text('LIST', 'Only pages of these domains.'),
  rate: text('N', 'Requests a minute, or unlimited.'),
  credits: text('N', 'Credits a month, or unlimited.'),
  ...RANKING,
  expires: text('WHEN', 'After this many days, at a date, or never.'),
} satisfies Record<string, Flag>;

export const TEAM = { team: text('NAME', 'The team.') } satisfies Record<string, Flag>;
export const GRACE = { grace: text('HOURS', 'How long the old key works [24].') } satisfies Record<string, Flag>;
export const PLAN = { plan: text('NAME', 'The plan.') } satisfies Record<string, Flag>;

const RULE = 'absent, allowed or forced.';

export const TEAM_SETTINGS = {
  ...PLAN,
  credits: LIMITS.credits,
  networks: LIMITS.networks,
  concurrency: text('N', 'Requests at once, or unlimited.'),
  rates: text('LIST', 'Requests a minute by operation: scrape=60,map=10.'),
  'zero-data-retention': text('RULE', RULE),
  anonymous: text('RULE', RULE),
  'threat-protection': text('RULE', RULE),
  ...RANKING,
  unset: text('LIST', 'Settings to remove.'),
} satisfies Record<string, Flag>;

type Known = typeof LIMITS & typeof TEAM & typeof GRACE & typeof TEAM_SETTINGS;
export type KeyOptions = Partial<Record<keyof Known, string>>;

const UNLIMITED = 'unlimited';
const NEVER = 'never';

export const readNewKey = (options: KeyOptions): CreateKeyRequest => {
  const { expires, label } = options;
  return check(createKeyRequest, {
    limits: limitsOf(options),
    ...(label && { label }),
    ...(expires !== NEVER && expiryOf(expires)),
  });
};

/** Limits that are not named stay; an empty text removes a limit. */
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
    ranking: rankingOf(options),
    unset: list(unset),
  };
  return check(
    changeTeamRequest,
    Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
  );
}

/** Only those that were given. Undefined for a limit that is to be removed. */
function limitsOf(options: KeyOptions) {
  const { operations, formats, networks, domains, rate, credits } = options;
  const ranking = rankingOf(options);
  const lists = Object.entries({ operations, formats, networks, domains })
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => [name, list(text)]);
  return {
    ...Object.fromEntries(lists),
    ...(rate !== undefined && { requestsPerMinute: limit(rate) }),
    ...(credits !== undefined && { monthlyCredits: limit(credits) }),
    ...(ranking && { ranking }),
  };
}

/** All lists together: those that are not named are empty. */
function rankingOf({ block, lower, raise, pin }: KeyOptions) {
  const named = Object.entries({ block, lower, raise, pin }).filter(([, text]) => text !== undefined);
  return named.length === 0 ? undefined : Object.fromEntries(named.map(([action, text]) => [action, list(text)]));
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
