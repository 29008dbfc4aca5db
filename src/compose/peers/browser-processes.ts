// Which process runs a browser for this one: none if it has its own, else the one with the most room.
import type { Role } from '../../config/storage/engines.ts';
import { PEER_PROTOCOL } from '../../peers/call-signature.ts';
import type { Membership } from '../../peers/membership.ts';
import type { ProcessRow } from '../../store/ports/process-registry.ts';

export interface BrowserProcesses {
  /** Undefined: this process itself, or nobody. `except` has just failed. */
  choose(what: 'pages' | 'sessions', except?: string): ProcessRow | undefined;
}

interface Deps {
  role: Role;
  /** Why there is no browser here. */
  problem(): string | undefined;
  membership: Pick<Membership, 'others'>;
}

const HAVE_BROWSERS: readonly string[] = ['browser', 'all'];

export function createBrowserProcesses({ role, problem, membership }: Deps): BrowserProcesses {
  return {
    choose(what, except) {
      const usesOwn = role === 'all' || role === 'browser';
      if (usesOwn && problem() === undefined) return undefined;
      const able = membership
        .others()
        .filter((each) => each.hasBrowser && HAVE_BROWSERS.includes(each.role) && each.protocol === PEER_PROTOCOL)
        .filter(({ id }) => id !== except);
      // Those that only run browsers come first, if there are any; the others have work of their own.
      const dedicated = able.filter((each) => each.role === 'browser');
      // A process of this role runs its own browser only if nobody is there to do it.
      return roomiest(dedicated.length > 0 || problem() === undefined ? dedicated : able, what);
    },
  };
}

/** Rooms are a few seconds old: among those with any, chance spreads what comes at the same time. */
function roomiest(processes: ProcessRow[], what: 'pages' | 'sessions'): ProcessRow | undefined {
  const room = (each: ProcessRow) => Math.max(0, what === 'pages' ? each.freePages : each.freeSessions);
  const total = processes.reduce((sum, each) => sum + room(each), 0);
  if (total === 0) return processes[Math.floor(Math.random() * processes.length)];
  let ticket = Math.random() * total;
  return processes.find((each) => {
    ticket -= room(each);
    return ticket < 0;
  });
}
