// The refusal of work that a budget does not cover.
import { ServiceError } from '../../contracts/errors.ts';
import { iso } from '../../util/clock.ts';
import { nextMonth } from '../../util/months.ts';

interface Shortage {
  needed: number;
  left: number;
  /** Credits a month. */
  limit: number;
  /** The budget of the key is the one that is used up. */
  isOfKey: boolean;
  now: number;
}

/** Public clients recognise the first sentence. */
export function insufficientCredits({ needed, left, limit, isOfKey, now }: Shortage): ServiceError {
  const budget = isOfKey ? `the ${limit} that this API key may use in a month` : `the ${limit} of your team's month`;
  return new ServiceError('INSUFFICIENT_CREDITS', {
    message: `Insufficient credits to perform this request. It needs ${count(needed)}; ${left} of ${budget} are left. Ask the operator of this server for more, or wait until ${iso(nextMonth(now)).slice(0, 10)} (UTC).`,
  });
}

const count = (credits: number): string => (credits === 1 ? '1 credit' : `${credits} credits`);
