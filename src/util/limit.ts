// A fair gate: at most `size` holders at once, the others wait in order, and the waiting room is bounded.

export interface Gate {
  /** Waits for a place. Resolves with a function that gives it back, or undefined when the waiting room is full. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
  readonly active: number;
  readonly waiting: number;
}

export function createGate(size: number, room: number): Gate {
  const queue: { admit: () => void }[] = [];
  let active = 0;

  const leave = () => {
    active -= 1;
    queue.shift()?.admit();
  };

  const place = () => {
    active += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave();
    };
  };

  return {
    get active() {
      return active;
    },
    get waiting() {
      return queue.length;
    },
    async enter(signal) {
      signal.throwIfAborted();
      if (active < size) return place();
      if (queue.length >= room) return undefined;
      return new Promise((resolve, reject) => {
        const entry = {
          admit: () => {
            signal.removeEventListener('abort', giveUp);
            resolve(place());
          },
        };
        const giveUp = () => {
          queue.splice(queue.indexOf(entry), 1);
          reject(signal.reason);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        queue.push(entry);
      });
    },
  };
}
