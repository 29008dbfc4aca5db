// Test stage: two processes on one PostgreSQL. What the first one asks of the second passes a recorder, as on a network that
// somebody listens to.
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { openDatabase } from '../conformance/open-postgres.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHere } from '../support/service-here.ts';
import { openStage, type Stage } from './stage.ts';

export const SECRET = 'a secret of the tests that is long enough';
export const OPERATOR_KEY = 'tr-cluster-corpus-key-0123456789';

export interface Call {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body: string;
}

export interface ClusterStage {
  stage: Stage;
  front: RunningService;
  back: RunningService;
  /** Ids of the processes, by their names. */
  ids: Record<'front' | 'back', string>;
  /** Ports of the database and of the recorder. The second process gives the recorder's as its own. */
  ports: { database: number; recorder: number };
  /** Lets the first process call the second one, and returns what went over the wire. */
  capture(): Promise<Call>;
  stop(): Promise<void>;
}

export async function openClusterStage(allow: string): Promise<ClusterStage> {
  const database = await openDatabase();
  const recorder = await startRecorder();
  const settings = {
    TRAWL_DATABASE_URL: database.url,
    TRAWL_DATABASE_CONNECTIONS: '4',
    TRAWL_SECRET: SECRET,
    TRAWL_API_KEY: OPERATOR_KEY,
  };
  const back = await startServiceHere({
    ...settings,
    TRAWL_PROCESS_NAME: 'back',
    TRAWL_ADVERTISED_URL: `http://127.0.0.1:${recorder.port}`,
  });
  recorder.passTo(portOf(back.url));
  const stage = await openStage(allow, { ...settings, TRAWL_PROCESS_NAME: 'front' });
  const front = await stage.service();
  const details = (await (await front.fetch('/v0/health/details')).json()) as {
    processes: { id: string; name: string }[];
  };
  return {
    ...{ stage, front, back },
    ids: Object.fromEntries(details.processes.map(({ id, name }) => [name, id])) as ClusterStage['ids'],
    ports: { database: portOf(database.url), recorder: recorder.port },
    async capture() {
      recorder.heard.length = 0;
      await front.fetch('/v2/health/browsers');
      return readCall(Buffer.concat(recorder.heard).toString());
    },
    async stop() {
      await stage.stop();
      await back.stop();
      await recorder.stop();
      await database.drop();
    },
  };
}

export const portOf = (url: string): number => Number(new URL(url).port);

/** The status of the answer. */
export async function send(service: RunningService, { method, path, headers, body }: Call): Promise<number> {
  const sent = request(service.url, { method, path, headers: { ...headers, connection: 'close' } });
  // A refused caller is cut off while it still sends.
  sent.on('error', () => {});
  sent.end(body);
  const [answer] = await once(sent, 'response');
  answer.resume();
  return answer.statusCode;
}

/** Passes everything on, and keeps what the caller has sent. */
async function startRecorder() {
  const heard: Buffer[] = [];
  const open = new Set<Socket>();
  let target = 0;
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    incoming.on('data', (bytes) => heard.push(bytes));
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(from);
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    heard,
    port: (server.address() as AddressInfo).port,
    passTo(port: number) {
      target = port;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

function readCall(text: string): Call {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
  return { method, path, headers, body: text.slice(end + 4) };
}
