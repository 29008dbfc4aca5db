// Whether the other end of a loopback connection runs as our user: a loopback port is open to every user of the
// machine. Linux lists the owner of every socket. On other systems it cannot be found out, and every peer is accepted.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The addresses as Linux writes them. */
const IPV4 = { table: '/proc/net/tcp', loopback: '0100007F' };
const IPV6 = { table: '/proc/net/tcp6', loopback: '00000000000000000000000001000000' };
// After the two addresses: state, queues, timer, retransmissions, then the user id.
const USER = /^ [0-9A-F]{2} \S+ \S+ \S+ +(\d+) /;

/** For connections over 127.0.0.1 and ::1. On Linux, any other address of loopback is taken for another user's. */
export function isSameUser(socket: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localPort'>): boolean {
  const { remoteAddress, remotePort = 0, localPort = 0 } = socket;
  const { table: path, loopback } = remoteAddress === '::1' ? IPV6 : IPV4;
  const own = process.getuid?.();
  const table = own === undefined ? undefined : readTable(path);
  if (table === undefined) return true;
  const end = (port: number): string => `${loopback}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const ends = `: ${end(remotePort)} ${end(localPort)}`;
  const at = table.indexOf(ends);
  const [, user] = at === -1 ? [] : (USER.exec(table.slice(at + ends.length, at + ends.length + 100)) ?? []);
  return Number(user) === own;
}

function readTable(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
