// Holds of runs. A run pays once, when it ends, so everything that it has cost until then stays set aside.
import type { Account } from '../../store/ports/teams/ledger.ts';
import type { Budgets, Reservation } from './budgets.ts';
import type { Payers } from './payers.ts';

export interface RunReservation extends Pick<Reservation, 'settle' | 'recorded' | 'release'> {
  /** Sets credits aside. Throws INSUFFICIENT_CREDITS. */
  reserve(credits: number): Promise<void>;
  /** Adds what a step has cost, as far as the budget goes; a negative number gives back. Returns what was added. */
  add(credits: number): Promise<number>;
  /** Sets aside what the run has cost so far, instead of what it holds, as far as the budget goes. */
  restart(spent: number): Promise<void>;
  /** What the run can still spend. Infinity without a budget. */
  left(): Promise<number>;
  /** The hold of a page of one of the run's jobs: it is paid with the run. Throws INSUFFICIENT_CREDITS. */
  part(credits: number): Promise<Reservation>;
}

export interface RunReservations {
  open(run: Account & { id: string }): Promise<RunReservation>;
  /** Undefined if the run is not carried out now. */
  of(runId: string): RunReservation | undefined;
}

interface Deps {
  budgets: Budgets;
  payers: Payers;
}

export function createRunReservations({ budgets, payers }: Deps): RunReservations {
  const open = new Map<string, RunReservation>();
  return {
    async open({ id, ...account }) {
      const payer = await payers.find(account);
      const reservation = createRunReservation(await budgets.reserve(payer, 0), {
        left: async () => budgets.remaining(await payers.find(account)),
        onEnd: () => open.delete(id),
      });
      open.set(id, reservation);
      return reservation;
    },
    of: (runId) => open.get(runId),
  };
}

function createRunReservation(
  reservation: Reservation,
  { left, onEnd }: { left(): Promise<number>; onEnd(): void },
): RunReservation {
  let total = 0;
  const add = async (credits: number): Promise<number> => {
    total += credits;
    const wanted = total;
    const missing = Math.max(0, wanted - (await reservation.settle(wanted)));
    total -= missing;
    return credits - missing;
  };
  const reserve = async (credits: number) => {
    await reservation.extend(credits);
    total += credits;
  };
  return {
    reserve,
    add,
    left,
    async restart(spent) {
      await add(spent - total);
    },
    async part(credits) {
      await reserve(credits);
      let held = credits;
      return {
        extend: reserve,
        async settle(cost) {
          held += await add(Math.ceil(cost) - held);
          return Math.floor(held);
        },
        // What it has cost stays set aside until the run is paid for.
        recorded() {
          held = 0;
        },
        release() {
          void add(-held);
          held = 0;
        },
      };
    },
    settle: reservation.settle,
    recorded() {
      reservation.recorded();
      onEnd();
    },
    release() {
      reservation.release();
      onEnd();
    },
  };
}
