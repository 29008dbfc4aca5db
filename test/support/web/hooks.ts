// hooks.test: receivers of webhooks. A call to `/KIND/NAME` is recorded under NAME; `/received/NAME` lists the calls.
import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Exchange, type Handler, type Site, send } from './reply.ts';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** As received. */
  body: string;
}

const received = new Map<string, Received[]>();

const nameOf = ({ path }: Exchange) => path.split(/[/?]/)[2] ?? '';

/** Records the call, then answers it. */
const receiver =
  (answer: Handler): Handler =>
  async (exchange) => {
    const { method, path, headers } = exchange;
    const body = (await exchange.body()).toString();
    const name = nameOf(exchange);
    const calls = received.get(name) ?? [];
    received.set(name, calls);
    calls.push({ method, path, headers, body });
    await answer(exchange);
  };

const status =
  (code: number, headers: Record<string, string> = {}): Handler =>
  (exchange) =>
    send(exchange, '', { status: code, headers });

const stall: Handler = async ({ signal }) => {
  if (!signal.aborted) await once(signal, 'abort');
};

const hooks: Site = {
  '/hook/*': receiver(status(200)),
  // `/flaky/NAME/2` fails twice, then accepts.
  '/flaky/*': receiver((exchange) => status(exchange.visit > Number(exchange.tail) ? 204 : 500)(exchange)),
  '/gone/*': receiver(status(500)),
  '/slow/*': receiver(stall),
  '/endless/*': receiver(async (exchange) => {
    exchange.response.writeHead(202).write('It was taken, but this never ends.');
    await stall(exchange);
  }),
  '/redirect/*': receiver((exchange) => status(307, { location: `/hook/${nameOf(exchange)}` })(exchange)),
  '/received/*': (exchange) =>
    send(exchange, JSON.stringify(received.get(nameOf(exchange)) ?? []), { type: 'application/json' }),
};

export const webhookReceivers: Record<string, Site> = { 'hooks.test': hooks };

/** Calls recorded under a name, in order. */
export async function readReceived(web: { port: number }, name: string): Promise<Received[]> {
  const headers = { host: 'hooks.test' };
  const asking = get({ host: '127.0.0.1', port: web.port, path: `/received/${name}`, headers, agent: false });
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return (await json(response)) as Received[];
}
