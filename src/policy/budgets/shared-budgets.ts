// Budgets that several processes spend: what is used and what is held is counted by the store, for all of them together.

import type {
  CreditClaim,
  CreditReservations,
  CreditsLeft,
  ReservationName,
} from '../../store/ports/limits/credit-reservations.ts';
import { monthStart, nextMonth } from '../../text/dates/months.ts';
import type { Clock } from '../../util/clock.ts';
import { uuidv7 } from '../../util/ids.ts';
import type { Plans } from '../plan.ts';
import { type Budgets, NO_RESERVATION, type Payer, type Reservation } from './budgets.ts';
import { creditLimits } from './credit-limits.ts';
import { insufficientCredits } from './insufficient-credits.ts';

export interface SharedBudgetsDeps {
  reservations: CreditReservations;
  /** As it is known to the others: what a dead process holds does not count. */
  processId: string;
  plans: Pick<Plans, 'limitsOf'>;
  clock: Pick<Clock, 'now'>;
}

export function createSharedBudgets({ reservations, processId, plans, clock }: SharedBudgetsDeps): Budgets {
  const claimOf = (payer: Payer): CreditClaim | undefined => {
    const limits = creditLimits(plans, payer);
    const now = clock.now();
    return limits && { ...accountOf(payer), limits, month: { from: monthStart(now), until: nextMonth(now) } };
  };
  // Holds whose end could not be written. They would set credits aside until the process ends.
  const ended = new Set<string>();
  const endAll = async () => {
    const ids = [...ended];
    await reservations.end(ids);
    for (const id of ids) ended.delete(id);
  };
  const end = (id: string) => {
    ended.add(id);
    return endAll().catch(() => {});
  };

  /** The changes of one hold are made in turn, so that none is written after its end. */
  const openReservation = (payer: Payer, name: ReservationName): Reservation => {
    let isOpen = true;
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
      const turn = last.then(work);
      last = turn.catch(() => {});
      return turn;
    };
    const close = () => {
      if (isOpen) void inTurn(() => end(name.id));
      isOpen = false;
    };
    return {
      extend: (credits) =>
        inTurn(async () => {
          // The limits may have changed, and the month may have ended meanwhile.
          const claim = claimOf(payer);
          if (!claim || !isOpen) return;
          const changed = await reservations.extend(name, claim, credits, clock.now());
          if (changed.held === undefined) throw refusal(claim, changed, credits, clock.now());
        }),
      settle: (credits) =>
        inTurn(async () => {
          if (!isOpen) return 0;
          const claim = claimOf(payer);
          return claim ? reservations.settle(name, claim, credits, clock.now()) : Math.ceil(credits);
        }),
      recorded: close,
      release: close,
    };
  };

  return {
    async reserve(payer, credits, work) {
      if (!claimOf(payer)) return NO_RESERVATION;
      if (ended.size > 0) void endAll().catch(() => {});
      const reservation = openReservation(payer, {
        id: uuidv7(clock.now()),
        processId,
        ...(work !== undefined && { work }),
      });
      await reservation.extend(credits);
      return reservation;
    },
    async check(payer, credits) {
      const claim = claimOf(payer);
      if (!claim) return;
      const left = await reservations.left(claim, clock.now());
      if (credits > wholeCredits(left)) throw refusal(claim, left, credits, clock.now());
    },
    async remaining(payer) {
      const claim = claimOf(payer);
      return claim ? wholeCredits(await reservations.left(claim, clock.now())) : Number.POSITIVE_INFINITY;
    },
    isReservedFor: (work) => reservations.isHeldFor(work, clock.now()),
  };
}

const accountOf = ({ team, key }: Payer) => ({ teamId: team.id, ...(key !== undefined && { key }) });

/** 0 if more was used than is allowed now. */
const wholeCredits = ({ team, key }: CreditsLeft): number => Math.max(0, Math.floor(Math.min(team, key)));

function refusal({ limits }: CreditClaim, { team, key }: CreditsLeft, needed: number, now: number) {
  const isOfKey = key < team;
  const left = wholeCredits({ team, key });
  return insufficientCredits({ needed, left, limit: isOfKey ? limits.key : limits.team, isOfKey, now });
}
