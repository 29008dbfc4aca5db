// Servers at several addresses of this machine that share one port.
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

const ATTEMPTS = 20;

/** Lets each server listen at its address, on one port that is free at all of them. */
export async function listenOnOnePort(
  servers: readonly (readonly [address: string, server: Server])[],
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const open: Server[] = [];
    let port = 0;
    try {
      for (const [address, server] of servers) {
        await once(server.listen(port, address), 'listening');
        open.push(server);
        ({ port } = server.address() as AddressInfo);
      }
      return port;
    } catch (error) {
      await Promise.all(open.map((server) => once(server.close(), 'close')));
      // Another program has it at one of the addresses.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === ATTEMPTS) throw error;
    }
  }
}
