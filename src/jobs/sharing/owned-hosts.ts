// The hosts that this process asks and no other one does. It keeps them while it works on them, and gives them back with what it
// remembers of each.
import type { Politeness } from '../../crawl/politeness/politeness.ts';
import type { Claim, JobQueue } from '../../store/ports/jobs/job-queue.ts';
import type { Clock } from '../../util/clock.ts';

export interface OwnedHosts {
  /** Call after each claim, before its tasks start. */
  took(claim: Pick<Claim, 'tasks' | 'hostMemories'>): void;
  started(host: string): void;
  ended(host: string): void;
  /** Renews the leases of all hosts. Returns those that have got another owner. */
  keep(leaseUntil: number, now: number): Promise<string[]>;
  /** Whether the next owner of a host would not know of its crawl delay or of a pause, if this process died now. */
  hasNews(): boolean;
  /** Gives back hosts that have been idle for a while. Must not run during a claim, which may take one of them. */
  leaveIdle(): Promise<void>;
  leaveAll(): Promise<void>;
}

interface OwnedHostsDeps {
  queue: Pick<JobQueue, 'keepHosts' | 'leaveHosts'>;
  politeness: Pick<Politeness, 'remember' | 'recall' | 'describe'>;
  clock: Pick<Clock, 'now'>;
}

/** Short, so that other processes can work on a host soon; long enough for a job that finds its next pages. */
const IDLE_MS = 5_000;

interface OwnedHost {
  inFlight: number;
  idleSince: number;
  /** Its crawl delay and pause as the store knows them. */
  stored?: string;
}

export function createOwnedHosts({ queue, politeness, clock }: OwnedHostsDeps): OwnedHosts {
  const owned = new Map<string, OwnedHost>();

  const use = (host: string): OwnedHost => {
    const known = owned.get(host) ?? { inFlight: 0, idleSince: clock.now() };
    owned.set(host, known);
    return known;
  };
  const memoriesOf = (hosts: Iterable<string>, leaseUntil?: number) =>
    Object.fromEntries([...hosts].map((host) => [host, politeness.remember(host, leaseUntil)]));

  const rulesOf = (host: string): string => {
    const { crawlDelayMs = 0, pausedUntil = 0 } = politeness.describe(host) ?? {};
    return `${crawlDelayMs} ${pausedUntil}`;
  };

  async function leave(hosts: string[]): Promise<void> {
    if (hosts.length === 0) return;
    for (const host of hosts) owned.delete(host);
    await queue.leaveHosts(memoriesOf(hosts), clock.now());
  }

  return {
    took({ tasks, hostMemories = {} }) {
      for (const [host, memory] of Object.entries(hostMemories)) politeness.recall(host, memory);
      for (const { host } of tasks) use(host);
    },
    started(host) {
      use(host).inFlight += 1;
    },
    ended(host) {
      const known = use(host);
      known.inFlight -= 1;
      known.idleSince = clock.now();
    },
    async keep(leaseUntil, now) {
      if (owned.size === 0) return [];
      const rules = [...owned].map(([host, known]) => ({ known, stored: rulesOf(host) }));
      const lost = await queue.keepHosts(memoriesOf(owned.keys(), leaseUntil), leaseUntil, now);
      for (const { known, stored } of rules) known.stored = stored;
      for (const host of lost) if (owned.get(host)?.inFlight === 0) owned.delete(host);
      return lost;
    },
    hasNews: () => [...owned].some(([host, { stored }]) => stored !== rulesOf(host)),
    leaveIdle() {
      const now = clock.now();
      const isIdle = ({ inFlight, idleSince }: OwnedHost) => inFlight === 0 && idleSince + IDLE_MS <= now;
      return leave([...owned].filter(([, host]) => isIdle(host)).map(([name]) => name));
    },
    leaveAll: () => leave([...owned.keys()]),
  };
}
