// What other processes of the same installation may ask: operations of callers that they have admitted. Without a valid
// signature, these addresses do not exist.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { OpenElsewhere } from '../../contracts/browser/open-elsewhere.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Operations } from '../../operations/call.ts';
import type { PeerClaims } from '../../peers/call-signature.ts';
import type { PeerAnswer, WireError } from '../../peers/peer-calls.ts';
import { JsonText } from '../../util/json/json-text.ts';
import type { Admission } from '../callers/admission.ts';
import { callerSignal } from '../client-gone.ts';
import type { ErrorReader } from '../errors.ts';

export interface PeerDoor {
  /** Who of us has sent the request. Undefined for everybody else. May be asked repeatedly. */
  senderOf(request: Pick<FastifyRequest, 'raw'>): PeerClaims | undefined;
  isBodyOf(claims: PeerClaims, body: Uint8Array | string): boolean;
  /** The type of the bodies, and the path of an operation. */
  contentType: string;
  callPath(operation: string): string;
  toWire(error: ServiceError): WireError;
  /** Loads a page in a browser of this process. Never rejects. */
  servePage(
    browser: string,
    socket: WebSocket,
    first: string,
    tools: { stopping: AbortSignal; readError: ErrorReader },
  ): Promise<void>;
  /** Runs here, wherever the session is. */
  operations: Partial<Operations>;
}

interface Deps {
  door: PeerDoor;
  admission: Pick<Admission, 'admitLink'>;
  readError: ErrorReader;
  maxRequestBytes: number;
  stopping: AbortSignal;
}

/** What a call has around its body: the caller, parameters, query. */
const ENVELOPE_BYTES = 1024 * 1024;

export function openPeerRoutes(app: FastifyInstance, deps: Deps): void {
  const { door, admission, readError, stopping, maxRequestBytes } = deps;
  app.register(async (inside) => {
    inside.addContentTypeParser(door.contentType, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    inside.addHook('onRequest', async (request) => {
      if (!door.senderOf(request)) throw new ServiceError('NOT_FOUND');
      admission.admitLink(request);
    });
    inside.route({
      method: 'POST',
      url: door.callPath(':operation'),
      bodyLimit: maxRequestBytes + ENVELOPE_BYTES,
      handler: async (request, reply) => {
        const { operation } = request.params as { operation: string };
        const body = request.body as Uint8Array;
        const run = Object.hasOwn(door.operations, operation)
          ? door.operations[operation as keyof Operations]
          : undefined;
        if (!run || !door.isBodyOf(door.senderOf(request)!, body)) throw new ServiceError('NOT_FOUND');
        const call = JSON.parse(Buffer.from(body).toString()) as { caller: object };
        const caller = { ...call.caller, signal: callerSignal(request, reply, stopping) };
        return answer(() => run({ ...call, caller } as never), readError, door.toWire);
      },
    });
  });
}

async function answer(
  run: () => Promise<unknown>,
  readError: ErrorReader,
  toWire: PeerDoor['toWire'],
): Promise<PeerAnswer> {
  try {
    const result = await run();
    return { answer: result instanceof JsonText ? JSON.parse(Buffer.from(result.bytes).toString()) : result };
  } catch (error) {
    if (error instanceof OpenElsewhere) return { elsewhere: error.processId };
    return { error: toWire(readError(error)) };
  }
}
