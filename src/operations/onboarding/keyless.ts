// Use without a key: a budget of requests and credits for each IPv4 address and day (UTC). Such a caller belongs to a team of
// its own and has, in place of a key, a name that is made of address and day: so what is counted by key is counted by day.
import { createHmac } from 'node:crypto';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { KeyLimits } from '../../contracts/team/policy.ts';
import type { Budgets } from '../../policy/budgets/budgets.ts';
import { isShortage } from '../../policy/budgets/insufficient-credits.ts';
import type { OnboardingStore } from '../../store/ports/teams/onboarding-store.ts';
import type { Team, TeamStore } from '../../store/ports/teams/team-store.ts';
import { readPeer } from '../../urls/networks.ts';
import type { Clock } from '../../util/clock.ts';
import { isSameSecret } from '../../util/hash.ts';
import type { OpenAnswer, OpenCall } from '../call.ts';

export const KEYLESS_TEAM = 'keyless';

export interface KeylessCaller {
  team: Team;
  key: string;
  keyId: string;
  limits: KeyLimits;
  address: string;
  isKeyless: true;
}

type Header = (name: string) => string | undefined;
type Reason = 'requests' | 'credits';

export interface Keyless {
  /** Counts nothing. Throws UNAUTHORIZED for an address that is not IPv4. */
  identify(address: string, header: Header): Promise<KeylessCaller>;
  /** Counts one request of the caller with this name. Throws KEYLESS_LIMIT_REACHED. */
  take(key: string): Promise<void>;
  /** What a caller without a key is told instead of an error that only makes sense to one with a key. */
  explain(error: unknown): unknown;
  /** For a proxy that knows the secret, about the address that it names. Throws UNAUTHORIZED or BAD_REQUEST. */
  eligibility(header: Header): Promise<{ eligible: boolean; reason?: Reason | 'ipv6'; retryAfterSeconds?: number }>;
}

interface Deps {
  team: Team;
  teams: Pick<TeamStore, 'find'>;
  onboarding: Pick<OnboardingStore, 'takeKeyless' | 'keylessRequests'>;
  budgets: Pick<Budgets, 'remaining'>;
  terms: { requestsPerDay: number; creditsPerDay: number };
  /** Secret of the data folder. */
  secret: Uint8Array;
  /** Secret of proxies that may name the address of their caller. */
  proxySecret: string | undefined;
  clock: Pick<Clock, 'now'>;
}

const DAY_MS = 24 * 3_600_000;
const MAX_CALLERS_PER_DAY = 10_000;
const NAME_LENGTH = 16;
const OPERATIONS: NonNullable<KeyLimits['operations']> = ['search', 'scrape', 'parse', 'browser'];
/** As the public MCP server sends them. */
const SECRET_HEADER = 'x-firecrawl-keyless-secret';
const ADDRESS_HEADER = 'x-firecrawl-keyless-ip';
const ONLY_IPV4 = 'Unauthorized: Requests without a key are only served for IPv4 addresses. Send a key.';
const NOT_KEYLESS =
  'Nothing can be used without a key on this server. Its operator can change that with TRAWL_KEYLESS.';

export function createKeyless(deps: Deps): Keyless {
  const { terms, onboarding, clock } = deps;
  const today = () => Math.floor(clock.now() / DAY_MS);
  const secondsLeft = () => Math.ceil(((today() + 1) * DAY_MS - clock.now()) / 1000);
  const knowsSecret = (header: Header) =>
    deps.proxySecret !== undefined && isSameSecret(header(SECRET_HEADER) ?? '', deps.proxySecret);
  const refuse = (reason: Reason) => {
    const retryAfter = secondsLeft();
    return new ServiceError('KEYLESS_LIMIT_REACHED', {
      retryAfter,
      fields: { reason, retry_after_seconds: retryAfter },
    });
  };
  const callerAt = async (address: string): Promise<KeylessCaller | undefined> => {
    const peer = readPeer(address);
    if (peer?.kind() !== 'ipv4') return undefined;
    const digest = createHmac('sha256', deps.secret).update(`keyless ${today()} ${peer}`).digest('hex');
    const key = `keyless-${digest.slice(0, NAME_LENGTH)}`;
    const limits = { operations: OPERATIONS, monthlyCredits: terms.creditsPerDay };
    // The operator may have changed what it may do.
    const team = (await deps.teams.find(deps.team.id)) ?? deps.team;
    return { team, key, keyId: key, limits, address: peer.toString(), isKeyless: true };
  };
  const limits = { maxRequests: terms.requestsPerDay, maxCallers: MAX_CALLERS_PER_DAY };

  return {
    async identify(address, header) {
      const named = knowsSecret(header) ? header(ADDRESS_HEADER) : undefined;
      const caller = await callerAt(named ?? address);
      if (!caller) throw new ServiceError('UNAUTHORIZED', { message: ONLY_IPV4 });
      return caller;
    },
    async take(key) {
      if (!(await onboarding.takeKeyless(key, today(), limits))) throw refuse('requests');
    },
    explain: (error) => (isShortage(error) ? refuse('credits') : error),
    async eligibility(header) {
      if (!knowsSecret(header)) throw new ServiceError('UNAUTHORIZED');
      const address = header(ADDRESS_HEADER) ?? '';
      if (!readPeer(address))
        throw new ServiceError('BAD_REQUEST', { message: `Set ${ADDRESS_HEADER} to an IP address.` });
      const caller = await callerAt(address);
      if (!caller) return { eligible: false, reason: 'ipv6' };
      const missing = await whatIsMissing(caller, deps);
      return missing ? { eligible: false, reason: missing, retryAfterSeconds: secondsLeft() } : { eligible: true };
    },
  };
}

export async function keylessEligibility(
  { keyless }: { keyless: Keyless | undefined },
  { header }: OpenCall<'keylessEligibility'>,
): Promise<OpenAnswer> {
  if (!keyless) throw new ServiceError('NOT_FOUND', { message: NOT_KEYLESS });
  return { status: 200, headers: { 'cache-control': 'no-store' }, body: await keyless.eligibility(header) };
}

async function whatIsMissing(caller: KeylessCaller, { onboarding, budgets, terms }: Deps): Promise<Reason | undefined> {
  if ((await onboarding.keylessRequests(caller.key)) >= terms.requestsPerDay) return 'requests';
  return (await budgets.remaining(caller)) < 1 ? 'credits' : undefined;
}
