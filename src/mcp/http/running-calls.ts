// The calls that are running for HTTP clients of 2025, which cancel a call with a request of its own. IDs of requests are only
// unique for one client, so a client without a session ID cannot cancel: it could end the call of another one.

export interface RunningCalls {
  cancel(client: string, id: unknown): void;
  /** `over` aborts at the end of the exchange. `client` is undefined if it cannot be told from others. */
  add(client: string | undefined, ids: readonly unknown[], over: AbortSignal): ExchangeCalls;
}

interface ExchangeCalls {
  /** Aborts when the call is cancelled. */
  signalOf(id: string | number): AbortSignal | undefined;
  /** Aborts when the exchange is over, or all of its calls are cancelled: they are not answered. */
  over: AbortSignal;
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, () => void>();
  return {
    cancel: (client, id) => running.get(nameOf(client, id))?.(),
    add(client, ids, over) {
      if (client === undefined || ids.length === 0) return { signalOf: () => undefined, over };
      const all = new AbortController();
      const calls = new Map(ids.map((id) => [id, new AbortController()]));
      const left = new Set(ids);
      for (const [id, call] of calls) {
        const cancel = () => {
          left.delete(id);
          call.abort();
          if (left.size === 0) all.abort();
        };
        const name = nameOf(client, id);
        running.set(name, cancel);
        over.addEventListener('abort', () => running.get(name) === cancel && running.delete(name), { once: true });
      }
      return { signalOf: (id) => calls.get(id)?.signal, over: AbortSignal.any([over, all.signal]) };
    },
  };
}

const nameOf = (client: string, id: unknown): string => `${client} ${JSON.stringify(id)}`;
