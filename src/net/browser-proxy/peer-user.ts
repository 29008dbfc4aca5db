// Whether the other end of a loopback connection runs as the same user as we do: an open port is open to everybody on the
// machine. Linux knows it of every socket; elsewhere there is nobody to ask, and the answer is yes.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

const TABLE = '/proc/net/tcp';
const LOOPBACK = '0100007F';
// Behind the two addresses: state, queues, timer, retransmissions, then the user.
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
