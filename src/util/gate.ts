// A fair semaphore: at most `size` holders at once, the others wait in order, and the queue is bounded.

export interface Gate {
  /** Waits for a slot. Resolves with a function that releases it, or with undefined if the queue is full. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
  readonly active: number;
  readonly waiting: number;
}

export function createGate(size: number, maxWaiting: number): Gate {
  const queue: { admit: () => void }[] = [];
  let active = 0;

  const release = () => {
    active -= 1;
    queue.shift()?.admit();
  };

  const takeSlot = () => {
    active += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      release();
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
      if (active < size) return takeSlot();
      if (queue.length >= maxWaiting) return undefined;
      return new Promise((resolve, reject) => {
        const entry = {
          admit: () => {
            signal.removeEventListener('abort', giveUp);
            resolve(takeSlot());
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
