// Opens a TCP connection to the first address that answers. The caller has checked them; nothing is resolved here.
import { connect, type Socket } from 'node:net';

export interface DialLimits {
  /** Time limit for each address. */
  attemptMs: number;
  /** How long an address may be silent before the next one is tried in parallel (RFC 8305). */
  staggerMs: number;
}

export class DialTimeout extends Error {
  readonly code = 'ETIMEDOUT';
}

export function dial(
  addresses: readonly string[],
  port: number,
  { attemptMs, staggerMs }: DialLimits,
  signal: AbortSignal,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const queue = [...addresses];
  const attempts = new Set<Socket>();
  let stagger: NodeJS.Timeout | undefined;
  let failure: unknown;
  let settled = false;

  const settle = () => {
    settled = true;
    clearTimeout(stagger);
    signal.removeEventListener('abort', giveUp);
    for (const socket of attempts) socket.destroy();
  };
  const giveUp = () => {
    settle();
    reject(signal.reason);
  };
  const tryNext = () => {
    clearTimeout(stagger);
    const host = queue.shift();
    if (host === undefined) {
      if (attempts.size > 0) return;
      settle();
      reject(failure);
      return;
    }
    const socket = connect({ host, port, noDelay: true, keepAlive: true, autoSelectFamily: false });
    attempts.add(socket);
    socket.setTimeout(attemptMs, () => socket.destroy(new DialTimeout('The address did not answer.')));
    socket.once('connect', () => {
      if (settled) return;
      attempts.delete(socket);
      socket.setTimeout(0).removeAllListeners('timeout');
      settle();
      resolve(socket);
    });
    // Stays on the winner, too: a reset before its next owner adds a listener must not crash the process.
    socket.on('error', (error) => {
      if (settled) return;
      attempts.delete(socket);
      failure = error;
      tryNext();
    });
    if (queue.length > 0) stagger = setTimeout(tryNext, staggerMs);
  };

  if (signal.aborted) {
    reject(signal.reason);
    return promise;
  }
  signal.addEventListener('abort', giveUp, { once: true });
  tryNext();
  return promise;
}
