// Limits how much a team runs at once: its requests, and the pages of its jobs. More wait, as long as they can still be
// served in time; the others are refused at once and told when to come back.
import { queueFull, ServiceError } from '../../../contracts/errors/errors.ts';
import type { PageSlot, TeamSlots } from '../../../jobs/team-slots.ts';
import type { Plans } from '../../../policy/plan.ts';
import { createGate, type Gate, type GateSize, type GateSlot } from '../../../runtime/gate/gate.ts';
import { createRefusalPace } from '../../../runtime/gate/refusal-pace.ts';
import { createServiceTimes } from '../../../runtime/gate/service-times.ts';
import type { TeamLoad, WorkLoad } from '../../../store/ports/limits/team-loads.ts';
import type { Team } from '../../../store/ports/teams/team-store.ts';
import type { Clock } from '../../../util/clock.ts';
import type { LimitedTeam, PermitPool } from './permit-pool.ts';
import { createPermittedSlots } from './permitted-slots.ts';

export interface Concurrency {
  /** How many requests and pages of jobs of the team run at once, if other processes can run `elsewhere` of them. */
  max(team: Team, elsewhere?: number): number;
  /**
   * Waits for a slot of the team. `kind` names requests that take about as long. Throws QUEUE_FULL, or
   * CONCURRENCY_QUEUE_TIMEOUT if it waited in vain.
   */
  enter(team: Team, asked: { deadline: number; kind: string }, signal: AbortSignal): Promise<GateSlot>;
  /** What runs in this process, pages of jobs included, and which requests wait. */
  load(teamId: string): WorkLoad;
  /** The same for all teams that have something to do here. */
  loads(): TeamLoad[];
  /** Applies changed settings of a team to what runs and waits. */
  apply(team: Team): void;
  pages: TeamSlots;
}

interface Deps {
  /** For every team, whatever its plan says. */
  max: number;
  limitsOf: Plans['limitsOf'];
  findTeam(id: string): Promise<Team | undefined>;
  /** For limits of teams that hold over several processes. */
  permits?: PermitPool;
  clock: Clock;
}

interface TeamGate extends Gate {
  limits: GateSize;
  /** Set if the limit of the team holds over several processes. */
  shared?: LimitedTeam;
  /** When the settings of the team were read. */
  readAt: number;
  /** Whether the worker, which is not a request, waits for a slot. */
  pagesWaiting: number;
  /** Slots of the worker in which no page is being read. */
  pagesIdle: number;
}

/** A request must have started when two thirds of its time are over. */
const WAITING_SHARE = 2 / 3;
/** Each waiting request holds a connection and its body. */
const MAX_WAITING = 2_000;
/** Share of the slots that pages of jobs leave to requests, because somebody waits for those. */
const RESERVED_SHARE = 1 / 8;
/** How long changes that another process made may go unnoticed by running jobs. */
const SETTINGS_MS = 5_000;
/** Idle gates beyond this number are dropped. */
const MANY_GATES = 1_000;
const PAGE = 'page of a job';

export function createConcurrency({ max, limitsOf, findTeam, permits, clock }: Deps): Concurrency {
  const gates = new Map<string, TeamGate>();
  // Requests of different teams are assumed to take the same time.
  const times = createServiceTimes(clock);
  const refusals = createRefusalPace(clock);
  const permitted = permits && createPermittedSlots(permits, clock);

  const sizeOf = (team: Pick<Team, 'name' | 'settings'>): Required<GateSize> => {
    const { maxConcurrency, maxQueued } = limitsOf(team);
    const size = Math.min(max, maxConcurrency ?? max);
    const reserved = size === 1 ? 0 : Math.ceil(size * RESERVED_SHARE);
    return { size, patientSize: size - reserved, maxWaiting: Math.min(MAX_WAITING, maxQueued ?? MAX_WAITING) };
  };

  const sharedBy = (id: string, team: Pick<Team, 'name' | 'settings'>): LimitedTeam | undefined => {
    const { maxConcurrency } = limitsOf(team);
    return permitted && maxConcurrency !== null ? { id, limit: maxConcurrency } : undefined;
  };

  const open = (id: string, limits: Required<GateSize>): TeamGate => {
    if (gates.size >= MANY_GATES) {
      for (const [other, { active, waiting }] of gates) if (active + waiting === 0) gates.delete(other);
    }
    const gate = createGate({ ...limits, clock, times, waitingShare: WAITING_SHARE, refusal });
    const opened = Object.assign(gate, { limits, readAt: clock.now(), pagesWaiting: 0, pagesIdle: 0 });
    gates.set(id, opened);
    return opened;
  };

  const gateOf = (id: string, team: Pick<Team, 'name' | 'settings'>): TeamGate => {
    const limits = sizeOf(team);
    const gate = gates.get(id);
    if (!gate) return Object.assign(open(id, limits), { shared: sharedBy(id, team) });
    gate.readAt = clock.now();
    gate.shared = sharedBy(id, team);
    if (gate.limits.size !== limits.size || gate.limits.maxWaiting !== limits.maxWaiting) {
      gate.limits = limits;
      gate.resize(limits);
    }
    return gate;
  };

  const gateById = async (id: string): Promise<TeamGate> => {
    const gate = gates.get(id);
    if (gate && clock.now() - gate.readAt < SETTINGS_MS) return gate;
    return gateOf(id, (await findTeam(id)) ?? { name: '' });
  };

  return {
    max: (team, elsewhere = 0) => Math.min(max + elsewhere, limitsOf(team).maxConcurrency ?? Number.POSITIVE_INFINITY),
    load(teamId) {
      const gate = gates.get(teamId);
      return gate ? loadOf(gate, permitted?.missing(teamId)) : { active: 0, waiting: 0 };
    },
    loads: () =>
      [...gates].flatMap(([teamId, gate]) => {
        const load = loadOf(gate, permitted?.missing(teamId));
        return load.active + load.waiting > 0 ? [{ teamId, ...load }] : [];
      }),
    apply: (team) => void gateOf(team.id, team),
    async enter(team, { deadline, kind }, signal) {
      try {
        const gate = gateOf(team.id, team);
        const slot = await gate.enter({ team: team.id, deadline }, kind, signal);
        return gate.shared && permitted ? await permitted.one(slot, gate.shared, true, signal) : slot;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.code === 'QUEUE_FULL') await refusals.wait(team.id, signal);
        // The time of the request ended before its turn came.
        if (error === signal.reason && error.status === 408) throw refusal(1, 'late');
        throw error;
      }
    },
    pages: {
      async take(teamId, wanted) {
        const gate = await gateById(teamId);
        const slots: PageSlot[] = [];
        while (slots.length < wanted) {
          const slot = gate.tryEnter({ team: teamId }, PAGE);
          if (!slot) break;
          slots.push(idleIn(gate, slot));
        }
        return gate.shared && permitted ? permitted.some(slots, gate.shared) : slots;
      },
      async wait(teamId, signal) {
        const gate = await gateById(teamId);
        gate.pagesWaiting += 1;
        const entered = await gate.enter({ team: teamId }, PAGE, signal).finally(() => {
          gate.pagesWaiting -= 1;
        });
        const slot = idleIn(gate, entered);
        return gate.shared && permitted ? permitted.one(slot, gate.shared, false, signal) : slot;
      },
    },
  };
}

/** `early`: requests that have a slot but no permit, and wait for one. */
const loadOf = ({ active, waiting, pagesWaiting, pagesIdle }: TeamGate, early = 0): WorkLoad => ({
  active: active - pagesIdle - early,
  waiting: waiting - pagesWaiting + early,
});

/** A slot of the worker, which is no load of the team while no page is being read in it. */
function idleIn(gate: TeamGate, slot: GateSlot): PageSlot {
  let isIdle = true;
  gate.pagesIdle += 1;
  const begin = () => {
    if (isIdle) gate.pagesIdle -= 1;
    isIdle = false;
  };
  return {
    waitedMs: slot.waitedMs,
    begin,
    leave(outcome) {
      begin();
      slot.leave(outcome);
    },
  };
}

const refusal = (retryAfter: number, why: 'full' | 'late'): ServiceError =>
  why === 'full' ? queueFull(retryAfter) : new ServiceError('CONCURRENCY_QUEUE_TIMEOUT', { retryAfter });
