// A TCP connection to the first of several addresses that answers. The addresses come checked; no name is resolved here.
import { connect, type Socket } from 'node:net';

export interface DialLimits {
  /** How long one address may take. */
  attemptMs: number;
  /** When the next address is tried beside a silent one (RFC 8305). */
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
    // Stays on the winner too, so that a reset before its next owner listens does not end the process.
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
