// What one team has in flight and waiting at a gate. Work that is only of use for a while (a caller waits for it) and
// work that can wait (pages of jobs) take turns, so that neither holds up the other.
import { createLinkedList, type Link, type LinkedList } from './linked-list.ts';

/** Why work is refused: more waits than can be served in time, or the time that it may wait is over. */
export type GateRefusal = 'full' | 'late';

export interface WaitingEntry {
  readonly kind: string;
  readonly since: number;
  /** When its result is of no more use; absent if it can wait. */
  readonly deadline: number | undefined;
  admit(): void;
  refuse(why: GateRefusal): void;
}

export interface TeamQueue {
  readonly name: string;
  /** Number of slots that the team holds. */
  active: number;
  /** When more work waits than can be served in time, the newest comes first, because it has the most time left. */
  isOverloaded: boolean;
  readonly urgent: LinkedList<WaitingEntry>;
  readonly waiting: number;
  /** Returns a function that takes the entry out again. */
  add(entry: WaitingEntry): () => void;
  /** The entry whose turn it is. `isPatientToo`: work that can wait may have a turn. */
  next(isPatientToo: boolean): WaitingEntry | undefined;
}

export function createTeamQueue(name: string): TeamQueue {
  const urgent = createLinkedList<WaitingEntry>();
  const patient = createLinkedList<WaitingEntry>();
  let isPatientNext = false;
  return {
    name,
    active: 0,
    isOverloaded: false,
    urgent,
    get waiting() {
      return urgent.size + patient.size;
    },
    add(entry) {
      const list = entry.deadline === undefined ? patient : urgent;
      const link: Link<WaitingEntry> = list.add(entry);
      return () => {
        list.remove(link);
        if (urgent.size === 0) this.isOverloaded = false;
      };
    },
    next(isPatientToo) {
      const urgentEntry = this.isOverloaded ? urgent.last : urgent.first;
      const patientEntry = isPatientToo ? patient.first : undefined;
      isPatientNext = !isPatientNext;
      return isPatientNext ? (patientEntry ?? urgentEntry) : (urgentEntry ?? patientEntry);
    },
  };
}
