// What searches for papers and code have in common: a slot of the team, a time limit, and the credits of their results.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { searchPrice } from '../../contracts/prices.ts';
import { type FeaturesOf, storesNothing } from '../../policy/features.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import { raceAbort, startDeadline } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { uuidv7 } from '../../util/ids.ts';
import type { Caller } from '../caller.ts';
import { type AccountingDeps, charged } from '../charged.ts';
import type { Concurrency } from '../team/concurrency/concurrency.ts';

export interface BillingDeps extends AccountingDeps {
  concurrency: Pick<Concurrency, 'enter'>;
  featuresOf: FeaturesOf;
  clock: Clock;
}

/** These calls have no `timeout` of their own. */
export const RESEARCH_MS = 60_000;
const OUT_OF_TIME = `The sources took more than ${RESEARCH_MS / 1_000} seconds. Ask for fewer results, or try again later.`;

/** Runs the work in a slot of the caller's team, within the time limit. */
export async function inSlot<T>(
  { concurrency, clock }: BillingDeps,
  { team, signal }: Caller,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const time = startDeadline(RESEARCH_MS, () => new ServiceError('SCRAPE_TIMEOUT', { message: OUT_OF_TIME }), signal);
  try {
    const asked = { deadline: clock.now() + RESEARCH_MS, kind: 'research' };
    const slot = await concurrency.enter(team, asked, time.signal);
    try {
      const result = await raceAbort(work(time.signal), time.signal);
      slot.leave();
      return result;
    } finally {
      slot.leave('failed');
    }
  } finally {
    time.done();
  }
}

/** Bills results, and returns what they cost. `target` is the query, or the paper. */
export type BillResults = (found: {
  target: string;
  results: number;
  threatCheck?: ThreatCheck | undefined;
}) => Promise<number>;

/** Reserves what `atMost` results cost while `work` runs, which bills those that it has found. */
export const billed = <T>(
  deps: BillingDeps,
  caller: Caller,
  atMost: number,
  work: (bill: BillResults) => Promise<T>,
): Promise<T> =>
  charged(deps, caller, { operation: 'research', cost: priceOf(atMost) }, ({ charge }) =>
    work(({ target, results, threatCheck }) => {
      const listed = { id: uuidv7(deps.clock.now()), isStored: !storesNothing(deps.featuresOf, caller.team), target };
      return charge(priceOf(results) + (threatCheck?.credits() ?? 0), listed);
    }),
  );

const priceOf = (results: number): number => searchPrice(results, { isTraceless: false });
