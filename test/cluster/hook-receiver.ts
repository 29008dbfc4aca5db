// Receives the webhooks of the jobs, fails once for each job so that a call is repeated, and finds what arrived in the wrong order.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface HookReceiver {
  url: string;
  /** When a job's last event has arrived. */
  onEnd(handler: (jobId: string, type: string) => void): void;
  /** Sentences about events that came late, early, twice or not at all. `pages`: how many pages each job has. */
  problems(pages: ReadonlyMap<string, number>): string[];
  stop(): Promise<void>;
}

interface Event {
  type: string;
  id: string;
  webhookId: string;
  data?: { metadata?: { scrapeId?: string; sourceURL?: string } }[];
}

interface Call {
  event: Event;
  webhookId: string;
}

/** The call of each job that fails. The next attempt comes a minute later, and the job's other events wait for it. */
const FAILS_AT = 7;
const ENDS = /\.(completed|failed|cancelled)$/;

export async function startHookReceiver(): Promise<HookReceiver> {
  const calls = new Map<string, Call[]>();
  const received = new Map<string, number>();
  let ended: (jobId: string, type: string) => void = () => {};
  const server = createServer(async (request, response) => {
    const event = (await json(request).catch(() => undefined)) as Event | undefined;
    response.on('error', () => {});
    if (!event) return void response.writeHead(400).end();
    const number = (received.get(event.id) ?? 0) + 1;
    received.set(event.id, number);
    if (number === FAILS_AT) return void response.writeHead(500).end();
    calls.set(event.id, [...(calls.get(event.id) ?? []), { event, webhookId: event.webhookId }]);
    response.end();
    if (ENDS.test(event.type)) ended(event.id, event.type);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    onEnd(handler) {
      ended = handler;
    },
    problems: (pages) => [...pages].flatMap(([job, count]) => problemsOf(job, calls.get(job) ?? [], count)),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function problemsOf(job: string, calls: readonly Call[], pages: number): string[] {
  // A call whose answer was lost with its process is repeated, with the same id and nothing in between.
  const events = calls.filter((call, at) => at === 0 || call.webhookId !== calls[at - 1]!.webhookId);
  const problems: string[] = [];
  const say = (text: string) => problems.push(`Webhooks of ${job}: ${text}`);
  const types = events.map(({ event }) => event.type);
  if (!types[0]?.endsWith('.started')) say(`the first event is ${types[0]}`);
  if (!types.at(-1)?.endsWith('.completed')) say(`the last event is ${types.at(-1)}`);
  const ofPages = events.filter(({ event }) => event.type.endsWith('.page'));
  if (ofPages.length !== pages) say(`${ofPages.length} events of pages for ${pages} pages`);
  if (new Set(events.map(({ webhookId }) => webhookId)).size !== events.length) say('an event arrived again later');
  if (types.slice(1, -1).some((type) => !type.endsWith('.page'))) say(`unexpected order: ${[...new Set(types)]}`);
  return problems;
}
