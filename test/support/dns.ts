// A DNS server on loopback: A and AAAA answers by name, fixed or different for every query (rebinding).
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Addresses of both families, or a function of the query number (from 1) and type. */
export type DnsAnswer = readonly string[] | ((nth: number) => readonly string[]);

export interface DnsServer {
  /** `ip:port`, the form of TRAWL_DNS. */
  readonly address: string;
  /** Queried names, in order, once per type. */
  readonly questions: string[];
  /** `*.domain` answers for all names below the domain that have no own answer. */
  set(name: string, answer: DnsAnswer): void;
  stop(): Promise<void>;
}

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NAME_ERROR = 3;

export async function startDns(records: Record<string, DnsAnswer> = {}): Promise<DnsServer> {
  const answers = new Map(Object.entries(records));
  const counts = new Map<string, number>();
  const questions: string[] = [];
  const socket = createSocket('udp4');

  const find = (name: string): DnsAnswer | undefined => {
    const [, ...parents] = name.split('.');
    const wildcards = parents.map((_, index) => `*.${parents.slice(index).join('.')}`);
    return [name, ...wildcards].map((key) => answers.get(key)).find((answer) => answer !== undefined);
  };

  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query);
    questions.push(name);
    const nth = (counts.get(`${type} ${name}`) ?? 0) + 1;
    counts.set(`${type} ${name}`, nth);
    const answer = find(name);
    const addresses = (typeof answer === 'function' ? answer(nth) : (answer ?? [])).filter(
      (address) => address.includes(':') === (type === TYPE_AAAA) && (type === TYPE_A || type === TYPE_AAAA),
    );
    socket.send(writeReply(query.subarray(0, end), answer === undefined, addresses), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');

  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    questions,
    set: (name, answer) => void answers.set(name, answer),
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    const length = query[at]!;
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function writeReply(question: Buffer, unknown: boolean, addresses: readonly string[]): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (unknown ? NAME_ERROR : 0), 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, question.subarray(12), ...addresses.map(writeRecord)]);
}

function writeRecord(address: string): Buffer {
  const data = address.includes(':') ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name: a pointer to byte 12, in the question
  head.writeUInt16BE(data.length === 4 ? TYPE_A : TYPE_AAAA, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10); // the TTL before it stays 0: never cache
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  // The URL parser normalises every spelling to hexadecimal groups.
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const before = groups(left);
  const after = groups(right ?? '');
  const all = [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
