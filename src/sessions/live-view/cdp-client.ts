// A client of the DevTools protocol: calls and events over a connection to a browser.
import { CdpError, type Params } from '../cdp.ts';
import type { CdpChannel } from '../session.ts';

export interface CdpClient {
  /** Rejects with CdpError if the browser refuses, is gone, or does not answer within ten seconds. */
  call(method: string, params?: Params, sessionId?: string): Promise<Params>;
  /** Number of unanswered calls. */
  readonly pending: number;
}

export type EventListener = (method: string, params: Params, sessionId: string | undefined) => void;

interface PendingCall {
  resolve(result: Params): void;
  reject(error: Error): void;
  sessionId: string | undefined;
  timer: NodeJS.Timeout;
}

const ANSWER_MS = 10_000;

export function createCdpClient(channel: CdpChannel, onEvent: EventListener): CdpClient {
  const pending = new Map<number, PendingCall>();
  let lastId = 0;

  const take = (id: number): PendingCall | undefined => {
    const call = pending.get(id);
    pending.delete(id);
    clearTimeout(call?.timer);
    return call;
  };
  const rejectWhere = (isAffected: (call: PendingCall) => boolean) => {
    for (const [id, call] of [...pending]) if (isAffected(call)) take(id)?.reject(new CdpError('The page is gone.'));
  };
  channel.onMessage((text) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(text);
    // The browser does not answer calls to a page that it has closed.
    if (method === 'Target.detachedFromTarget') rejectWhere((call) => call.sessionId === params.sessionId);
    if (id === undefined) return onEvent(method, params, sessionId);
    if (error) take(id)?.reject(new CdpError(String(error.message)));
    else take(id)?.resolve(result);
  });
  channel.onClose(() => rejectWhere(() => true));

  return {
    get pending() {
      return pending.size;
    },
    call: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        const onLate = () => take(id)?.reject(new CdpError(`The browser does not answer ${method}.`));
        const timer = setTimeout(onLate, ANSWER_MS).unref();
        pending.set(id, { resolve, reject, sessionId, timer });
        channel.send(JSON.stringify({ id, method, params, sessionId }));
      }),
  };
}
