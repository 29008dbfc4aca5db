// A stand-in for the parser process that does what the file name says, for tests of the pool.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { ParsedFile } from '../../../src/page/parsed.ts';
import type { ParserAnswer, ParserMessage, ParserRequest } from '../../../src/parse/process/process-messages.ts';

const MB = 1024 * 1024;
const parsed = (markdown: string): ParsedFile => ({ body: { markdown }, metadata: {}, warnings: [] });
const held: Buffer[] = [];
let isBroken = false;
const readStatus = () => readFileSync('/proc/self/status', 'utf8');

const DEEDS: Record<string, (file: ParserRequest['file']) => Promise<ParsedFile> | ParsedFile> = {
  pid: () => parsed(String(process.pid)),
  length: ({ bytes }) => parsed(String(bytes.reduce((sum, byte) => sum + byte, 0))),
  hang: () => {
    for (;;) Math.random();
  },
  wait: () => new Promise(() => {}),
  pause: () => new Promise((resolve) => setTimeout(() => resolve(parsed('paused')), 2_500)),
  crash: () => process.abort(),
  leave: () => process.exit(0),
  memory: () => {
    for (;;) held.push(Buffer.alloc(MB, held.length % 256));
  },
  heap: () => {
    const all: object[] = [];
    for (;;) all.push({ a: [all.length] });
  },
  'hold-100': () => {
    held.push(Buffer.alloc(100 * MB, 1));
    return parsed(String(process.pid));
  },
  // Like an engine that corrupts its memory and crashes later.
  break: () => {
    isBroken = true;
    return parsed('broken');
  },
  child: () => {
    const child = spawn('sleep', ['600'], { stdio: 'inherit' });
    writeFileSync('started', '');
    return new Promise((_, reject) => child.once('error', reject));
  },
  'throw-later': () => {
    setImmediate(() => {
      throw new Error('nobody catches this');
    });
    return new Promise(() => {});
  },
  surroundings: () => parsed(JSON.stringify({ env: process.env, cwd: process.cwd(), files: readdirSync('.') })),
  'look-into': ({ bytes }) => parsed(JSON.stringify(readdirSync(Buffer.from(bytes).toString()))),
  // The command line of every other process that it can see, and what it may do as a user.
  spy: () => {
    const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
    const seen = others.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
    return parsed(JSON.stringify({ seen, capabilities: /^CapEff:\s*(\S+)/m.exec(readStatus())?.[1] }));
  },
  write: ({ bytes }) => {
    writeFileSync(Buffer.from(bytes).toString(), 'written');
    return parsed('written');
  },
  connect: ({ bytes }) =>
    new Promise((resolve) => {
      const socket = connect(Number(Buffer.from(bytes).toString()), '127.0.0.1');
      socket.once('connect', () => resolve(parsed('connected')));
      socket.once('error', (error) => resolve(parsed(error.message)));
    }),
};

const send = (message: ParserMessage): void => {
  process.send?.(message);
};

process.on('message', async ({ file }: ParserRequest) => {
  if (isBroken) process.abort();
  let answer: ParserAnswer;
  try {
    answer = { parsed: await DEEDS[file.name]!(file) };
  } catch (error) {
    answer = { problem: { code: 'DOCUMENT_DAMAGED', message: String(error) } };
  }
  send({ ...answer, memory: process.memoryUsage.rss() });
});
process.on('uncaughtException', (error) => {
  const problem = { code: 'DOCUMENT_DAMAGED', message: error.message } as const;
  send({ problem, isOver: true, memory: 0 });
});
process.on('disconnect', () => process.exit());
send({ ready: true });
