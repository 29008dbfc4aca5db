// A site for jobs to read and a receiver of their webhook calls. Both can be held up, so that a kill finds a job just so,
// however slow the machine is.
import { once } from 'node:events';
import { archivePaths, archiveSite } from '../support/web/archive.ts';
import { type Handler, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

export interface Stage {
  web: Web;
  /** All pages of the site, its front page first. */
  urls: string[];
  /** How often the site has answered. */
  readonly answers: number;
  /** Lets every question to the site wait until `open`. */
  close(): void;
  open(): void;
  /** Where the webhook calls of a name go. */
  hook(name: string): string;
  /** What came there so far: the bodies, in order. */
  calls(name: string): string[];
  /** Settles when the next call has come. That one gets no answer, for as long as its caller waits. */
  holdNextCall(): Promise<void>;
  stop(): Promise<void>;
}

const SITE = 'archive.test';
const HOOKS = 'calls.test';

export async function startStage(stories: number): Promise<Stage> {
  const received = new Map<string, string[]>();
  let answers = 0;
  let gate: PromiseWithResolvers<void> | undefined;
  let held: PromiseWithResolvers<void> | undefined;

  const passGate = async () => {
    while (gate) await gate.promise;
    answers += 1;
  };
  const callsTo = (path: string) => received.get(path) ?? [];
  const receive: Handler = async (exchange) => {
    const { path, signal } = exchange;
    received.set(path, [...callsTo(path), (await exchange.body()).toString()]);
    if (!held) return send(exchange, '');
    held.resolve();
    held = undefined;
    if (!signal.aborted) await once(signal, 'abort');
  };
  const web = await startWeb({ [SITE]: archiveSite(stories, passGate), [HOOKS]: { '/*': receive } });

  return {
    web,
    urls: archivePaths(stories).map((path) => web.url(SITE, path)),
    get answers() {
      return answers;
    },
    close() {
      gate ??= Promise.withResolvers<void>();
    },
    open() {
      gate?.resolve();
      gate = undefined;
    },
    hook: (name) => web.url(HOOKS, `/${name}`),
    calls: (name) => callsTo(`/${name}`),
    holdNextCall() {
      held ??= Promise.withResolvers<void>();
      return held.promise;
    },
    stop: () => web.stop(),
  };
}
