// What a team has used, in the words of v1.
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';

export async function creditUsage(_request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { data } = await trawl.call('creditUsage');
  const { remainingCredits, planCredits } = data;
  return {
    body: { success: true, data: { remaining_credits: remainingCredits, plan_credits: planCredits, ...period(data) } },
  };
}

export async function tokenUsage(_request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { data } = await trawl.call('tokenUsage');
  const { remainingTokens, planTokens } = data;
  return {
    body: { success: true, data: { remaining_tokens: remainingTokens, plan_tokens: planTokens, ...period(data) } },
  };
}

const period = (data: { billingPeriodStart: string; billingPeriodEnd: string }) => ({
  billing_period_start: data.billingPeriodStart,
  billing_period_end: data.billingPeriodEnd,
});
