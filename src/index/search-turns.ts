// Lets searches that wait take turns. Node hands a thread all its waiting messages in one go: answered at once, they would
// be one long step, in which neither changes nor timers of the thread get on.
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface SearchTurns {
  /** Resolves at once, or when those before have had their turn of the event loop. */
  mine(): Promise<void>;
  /** Resolves in a later turn, after those that wait for theirs. */
  free(): Promise<void>;
}

/** Searches may come faster than they are answered, and changes must get on even then. */
const MOST_BEFORE = 20;

export function createSearchTurns(): SearchTurns {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const pass = () => {
    const next = waiting.shift();
    isTaken = next !== undefined;
    if (!next) return;
    setImmediate(pass);
    next();
  };

  return {
    async mine() {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
      setImmediate(pass);
    },
    async free() {
      await nextTurn();
      for (let turns = 0; waiting.length > 0 && turns < MOST_BEFORE; turns++) await nextTurn();
    },
  };
}
