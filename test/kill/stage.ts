// A site to crawl and a receiver of webhook calls. Both can be blocked, so that a kill hits a chosen moment
// on machines of any speed.
import { once } from 'node:events';
import { archivePaths, archiveSite } from '../support/web/archive.ts';
import { type Handler, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

export interface Stage {
  web: Web;
  /** All pages of the site, its front page first. */
  urls: string[];
  /** How many requests the site has answered. */
  readonly answers: number;
  /** Blocks every request to the site until `open`. */
  close(): void;
  open(): void;
  /** The webhook URL for a name. */
  hook(name: string): string;
  /** The bodies received there so far, in order. */
  calls(name: string): string[];
  /** Resolves when the next call arrives. That call gets no answer. */
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
