// What a team has used, from the ledger: this month, by month, and over the last day, week or month. All times are UTC.
import {
  type CreditHistoryResponse,
  type CreditUsageResponse,
  type HistoryRange,
  PLAN_CREDITS,
  TOKENS_PER_CREDIT,
  type TokenHistoryResponse,
  type TokenUsageResponse,
} from '../../../contracts/team/team.ts';
import type { Plans } from '../../../policy/plan.ts';
import type { Ledger, UsageBin } from '../../../store/ports/teams/ledger.ts';
import { monthStart, nextMonth } from '../../../text/dates/months.ts';
import { type Clock, iso } from '../../../util/clock.ts';
import type { Call } from '../../call.ts';
import type { Caller } from '../../caller.ts';

interface UsageDeps {
  plans: Pick<Plans, 'limitsOf'>;
  ledger: Pick<Ledger, 'usage'>;
  clock: Pick<Clock, 'now'>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RANGE_DAYS: Record<HistoryRange, number> = { day: 1, week: 7, month: 30 };

export async function creditUsage(deps: UsageDeps, { caller }: Call<'creditUsage'>): Promise<CreditUsageResponse> {
  const { credits, period } = await thisMonth(deps, caller);
  const planCredits = budgetOf(deps, caller);
  return { success: true, data: { remainingCredits: Math.max(0, planCredits - credits), planCredits, ...period } };
}

export async function tokenUsage(deps: UsageDeps, { caller }: Call<'tokenUsage'>): Promise<TokenUsageResponse> {
  const { tokens, period } = await thisMonth(deps, caller);
  const planTokens = budgetOf(deps, caller) * TOKENS_PER_CREDIT;
  return { success: true, data: { remainingTokens: Math.max(0, planTokens - tokens), planTokens, ...period } };
}

const budgetOf = ({ plans }: UsageDeps, { team }: Caller): number =>
  plans.limitsOf(team).monthlyCredits ?? PLAN_CREDITS;

async function thisMonth({ ledger, clock }: UsageDeps, { team }: Caller) {
  const from = monthStart(clock.now());
  const until = nextMonth(from);
  const bins = await ledger.usage(team.id, { from, until, binMs: DAY_MS });
  return { ...sumOf(bins), period: { billingPeriodStart: iso(from), billingPeriodEnd: iso(until) } };
}

export async function creditHistory(
  deps: UsageDeps,
  { caller, query: { byApiKey, timeRange } }: Call<'creditHistory'>,
): Promise<CreditHistoryResponse> {
  if (timeRange) return recentCredits(deps, caller, timeRange);
  const months = await monthlyUsage(deps, caller, byApiKey);
  return { success: true, periods: months.map(({ credits, dates }) => ({ ...dates, ...creditCount(credits) })) };
}

export async function tokenHistory(
  deps: UsageDeps,
  { caller, query }: Call<'tokenHistory'>,
): Promise<TokenHistoryResponse> {
  const months = await monthlyUsage(deps, caller, query.byApiKey);
  return {
    success: true,
    periods: months.map(({ tokens, dates }) => ({ ...dates, tokensUsed: tokens, totalTokens: tokens })),
  };
}

const creditCount = (credits: number) => ({ creditsUsed: credits, totalCredits: credits });

/** Months with any use, oldest first, each once or once for each key. */
async function monthlyUsage({ ledger, clock }: UsageDeps, { team }: Caller, byApiKey: boolean) {
  const days = await ledger.usage(team.id, { from: 0, until: nextMonth(clock.now()), binMs: DAY_MS });
  const months = [...Map.groupBy(days, ({ start }) => monthStart(start))];
  return months.flatMap(([start, bins], index) => {
    const dates = { startDate: iso(start), endDate: index < months.length - 1 ? iso(nextMonth(start)) : null };
    if (!byApiKey) return [{ ...sumOf(bins), dates }];
    const keys = [...Map.groupBy(bins, ({ key }) => key ?? '')].sort(([a], [b]) => (a < b ? -1 : 1));
    return keys.map(([key, some]) => ({ ...sumOf(some), dates: { ...dates, ...(key && { apiKey: key }) } }));
  });
}

/** Hours of the last day, or days of the last week or month. The first and the last are cut at the ends of the window. */
async function recentCredits(
  { ledger, clock }: UsageDeps,
  { team }: Caller,
  timeRange: HistoryRange,
): Promise<CreditHistoryResponse> {
  const until = clock.now();
  const from = until - RANGE_DAYS[timeRange] * DAY_MS;
  const [binSize, binMs] = timeRange === 'day' ? (['hour', HOUR_MS] as const) : (['day', DAY_MS] as const);
  const bins = await ledger.usage(team.id, { from, until, binMs });
  const byStart = Map.groupBy(bins, ({ start }) => start);
  const starts = [];
  for (let start = Math.floor(from / binMs) * binMs; start < until; start += binMs) starts.push(start);
  return {
    success: true,
    window: { timeRange, binSize, startDate: iso(from), endDate: iso(until) },
    periods:
      bins.length === 0
        ? []
        : starts.map((start) => ({
            startDate: iso(Math.max(start, from)),
            endDate: iso(Math.min(start + binMs, until)),
            ...creditCount(sumOf(byStart.get(start) ?? []).credits),
          })),
  };
}

function sumOf(bins: UsageBin[]): { credits: number; tokens: number } {
  return {
    credits: bins.reduce((sum, bin) => sum + bin.credits, 0),
    tokens: bins.reduce((sum, bin) => sum + bin.tokens, 0),
  };
}
