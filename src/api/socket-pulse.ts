// Detects WebSocket clients that disappeared without closing: they are pinged, and have to be heard between two pings.
import type { WebSocket } from 'ws';
import type { Clock } from '../util/clock.ts';

export interface SocketPulse {
  clock: Clock;
  everyMs: number;
  /** Aborts when the socket closes. */
  signal: AbortSignal;
  /** Nothing was heard between two pings. */
  onLost(): void;
}

/** `heard` counts like an answer: call it when the client has shown in another way that it is there. */
export function startPulse(socket: WebSocket, { clock, everyMs, signal, onLost }: SocketPulse): { heard(): void } {
  let isAlive = true;
  const heard = () => {
    isAlive = true;
  };
  socket.on('pong', heard);
  const beat = async () => {
    for (;;) {
      await clock.sleep(everyMs, signal);
      if (!isAlive) return onLost();
      isAlive = false;
      socket.ping();
    }
  };
  beat().catch(() => {});
  return { heard };
}
