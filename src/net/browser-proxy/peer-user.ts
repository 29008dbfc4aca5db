// Whether the other end of a loopback connection runs as our user: a loopback port is open to every user of the
// machine. Linux lists the owner of every socket. On other systems it cannot be found out, and every peer is accepted.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

const TABLE = '/proc/net/tcp';
const LOOPBACK = '0100007F';
// After the two addresses: state, queues, timer, retransmissions, then the user id.
const USER = /^ [0-9A-F]{2} \S+ \S+ \S+ +(\d+) /;

/** For connections over 127.0.0.1. */
export function isSameUser({ remotePort = 0, localPort = 0 }: Socket): boolean {
  const own = process.getuid?.();
  const table = own === undefined ? undefined : readTable();
  if (table === undefined) return true;
  const ends = `: ${end(remotePort)} ${end(localPort)}`;
  const at = table.indexOf(ends);
  const [, user] = at === -1 ? [] : (USER.exec(table.slice(at + ends.length, at + ends.length + 100)) ?? []);
  return Number(user) === own;
}

const end = (port: number): string => `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;

function readTable(): string | undefined {
  try {
    return readFileSync(TABLE, 'latin1');
  } catch {
    return undefined;
  }
}
