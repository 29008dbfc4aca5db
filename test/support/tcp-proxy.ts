// A TCP proxy on loopback between a program and an engine, which can be cut: it refuses, resets, or swallows all bytes.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * `refuse`: closes what is open and each new connection. `reset`: the same, with RST. `swallow`: keeps connections open, and
 * nothing passes in either direction, as when a network drops packets.
 */
export type Passage = 'open' | 'refuse' | 'reset' | 'swallow';

export interface TcpProxy {
  /** The address of the engine, through the proxy. */
  url: string;
  set(passage: Passage): void;
  /** Connections that the engine has open at the moment. */
  open(): number;
  stop(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<{ incoming: Socket; outgoing: Socket }>();
  let passage: Passage = 'open';

  const server = createServer((incoming) => {
    incoming.on('error', () => {});
    if (passage === 'refuse' || passage === 'reset') {
      if (passage === 'reset') incoming.resetAndDestroy();
      else incoming.destroy();
      return;
    }
    const outgoing = connect({ host: hostname, port: Number(port) });
    outgoing.on('error', () => {});
    const pair = { incoming, outgoing };
    pairs.add(pair);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      from.on('data', (bytes) => {
        if (passage === 'open') to.write(bytes);
      });
      from.on('close', () => {
        // Nobody hears of an end either while packets are dropped.
        if (passage === 'swallow') return;
        pairs.delete(pair);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);

  const end = (how: 'destroy' | 'resetAndDestroy') => {
    for (const { incoming, outgoing } of pairs) {
      incoming[how]();
      outgoing.destroy();
    }
    pairs.clear();
  };
  return {
    url: url.href,
    set(next) {
      // What was swallowed is gone for good: connections of that time never work again.
      if (passage === 'swallow') end('destroy');
      passage = next;
      if (next === 'refuse') end('destroy');
      if (next === 'reset') end('resetAndDestroy');
    },
    open: () => pairs.size,
    async stop() {
      end('destroy');
      server.close();
      await once(server, 'close');
    },
  };
}
