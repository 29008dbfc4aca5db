// Holds for the pages of jobs. When the budget is used up, a job first waits for what its other pages give back, and only then
// stops: so no page is dropped while it is read.
import type { ServiceError } from '../../contracts/errors/errors.ts';
import type { NewTask } from '../../store/ports/jobs/job-queue.ts';
import type { JobView } from '../../store/ports/jobs/job-store.ts';
import { raceAbort } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import type { SecurityLog } from '../audit/security-log.ts';
import { type Budgets, NO_RESERVATION, type Reservation } from './budgets.ts';
import { isShortage, shortageEvent } from './insufficient-credits.ts';
import { type PricedPage, pageCost } from './known-costs.ts';
import type { Payers } from './payers.ts';
import type { RunReservations } from './run-reservations.ts';

export interface PageReservations {
  /** Sets aside what a page of the job costs. Throws INSUFFICIENT_CREDITS when the job has to stop. */
  open(job: JobView, kind: NewTask['kind'], signal: AbortSignal): Promise<Reservation>;
}

interface Deps {
  budgets: Pick<Budgets, 'reserve' | 'isReservedFor'>;
  payers: Payers;
  runReservations: Pick<RunReservations, 'of'>;
  security: Pick<SecurityLog, 'record'>;
  clock: Pick<Clock, 'sleep'>;
}

/** How often a job looks whether its pages in other processes have given credits back. */
const LOOK_AGAIN_MS = 500;

/** What the pages of one job hold. */
interface JobReservations {
  open: number;
  /** Once a job has to stop, no page of it begins. */
  refusal?: ServiceError;
  changed: PromiseWithResolvers<void>;
}

export function createPageReservations({ budgets, payers, runReservations, security, clock }: Deps): PageReservations {
  // By the view, which is one object as long as the job runs.
  const byJob = new WeakMap<JobView, JobReservations>();

  const holdsOf = (job: JobView): JobReservations => {
    const known = byJob.get(job) ?? { open: 0, changed: Promise.withResolvers<void>() };
    byJob.set(job, known);
    return known;
  };

  const hold = async (job: JobView): Promise<Reservation> => {
    const { teamId, key, runId } = job;
    const price = pageCost(pageOf(job));
    const ofRun = runId === undefined ? undefined : runReservations.of(runId);
    if (ofRun) return ofRun.part(price);
    const taken = await budgets.reserve(
      await payers.find({ teamId, ...(key !== undefined && { key }) }),
      price,
      job.id,
    );
    // Its run begins again in a moment, and is charged for the page when it ends.
    return runId === undefined ? taken : { ...taken, recorded: taken.release };
  };

  const stop = (job: JobView, holds: JobReservations, refusal: ServiceError) => {
    // Several pages may have found out at the same time.
    if (!holds.refusal) security.record(shortageEvent(job, job.kind));
    holds.refusal = refusal;
  };

  return {
    async open(job, kind, signal) {
      if (kind !== 'page') return NO_RESERVATION;
      const holds = holdsOf(job);
      for (;;) {
        if (holds.refusal) throw holds.refusal;
        const { promise: change } = holds.changed;
        try {
          const taken = await hold(job);
          return counted(holds, taken);
        } catch (error) {
          if (!isShortage(error)) throw error;
          if (holds.open > 0) await raceAbort(change, signal);
          else if (await budgets.isReservedFor(job.id)) await clock.sleep(LOOK_AGAIN_MS, signal);
          else stop(job, holds, error);
        }
      }
    },
  };
}

function counted(holds: JobReservations, reservation: Reservation): Reservation {
  holds.open += 1;
  let isOpen = true;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    holds.open -= 1;
    holds.changed.resolve();
    holds.changed = Promise.withResolvers();
  };
  return {
    ...reservation,
    recorded() {
      reservation.recorded();
      end();
    },
    release() {
      reservation.release();
      end();
    },
  };
}

/** The options of a job as its operation stores them: those of a crawl have those of its pages inside. */
function pageOf({ options }: JobView): PricedPage {
  const { scrapeOptions, ...own } = options as PricedPage & { scrapeOptions?: PricedPage };
  return scrapeOptions ? { ...scrapeOptions, zeroDataRetention: own.zeroDataRetention } : own;
}
