// Calls and events over a connection to a browser.
import type { Params } from '../multiplexer/cdp-rules.ts';
import type { CdpChannel } from '../session.ts';

export interface CdpClient {
  /** Rejects when the browser refuses, is gone, or does not answer for ten seconds. */
  call(method: string, params?: Params, sessionId?: string): Promise<Params>;
  /** How many calls are not answered yet. */
  readonly waiting: number;
}

export type EventListener = (method: string, params: Params, sessionId: string | undefined) => void;

interface Waiting {
  resolve(result: Params): void;
  reject(error: Error): void;
  sessionId: string | undefined;
  timer: NodeJS.Timeout;
}

const ANSWER_MS = 10_000;

export function createCdpClient(channel: CdpChannel, onEvent: EventListener): CdpClient {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;

  const take = (id: number): Waiting | undefined => {
    const asked = waiting.get(id);
    waiting.delete(id);
    clearTimeout(asked?.timer);
    return asked;
  };
  const rejectAll = (isMeant: (asked: Waiting) => boolean) => {
    for (const [id, asked] of [...waiting]) if (isMeant(asked)) take(id)?.reject(new Error('The page is gone.'));
  };
  channel.onMessage((text) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(text);
    // The browser answers nothing more of a page that it has closed.
    if (method === 'Target.detachedFromTarget') rejectAll((asked) => asked.sessionId === params.sessionId);
    if (id === undefined) return onEvent(method, params, sessionId);
    if (error) take(id)?.reject(new Error(String(error.message)));
    else take(id)?.resolve(result);
  });
  channel.onClose(() => rejectAll(() => true));

  return {
    get waiting() {
      return waiting.size;
    },
    call: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        const late = () => take(id)?.reject(new Error(`The browser does not answer ${method}.`));
        const timer = setTimeout(late, ANSWER_MS).unref();
        waiting.set(id, { resolve, reject, sessionId, timer });
        channel.send(JSON.stringify({ id, method, params, sessionId }));
      }),
  };
}
