// Decides where a call of the store is answered: a read that would wait there goes to the thread that reads beside it.
import { remotePort, type SendCall, type Thread } from '../../../runtime/threads/thread.ts';
import type { ReadPorts, ReadThread } from './hosted-reads.ts';

type MethodsOf<Ports> = { [Name in keyof Ports & string]: `${Name}.${keyof Ports[Name] & string}` }[keyof Ports &
  string];

const READS: ReadonlySet<string> = new Set<MethodsOf<ReadPorts>>([
  'teams.findByKey',
  'pages.find',
  'jobs.view',
  'jobs.results',
]);

export interface ReadsBeside {
  send: SendCall;
  /** Call it once all calls are answered. */
  close(): Promise<void>;
}

/** The other thread starts with the first read that would have to wait; those that come before it is ready wait. */
export function readBeside(store: Thread, start: (onCrash: () => void) => Thread): ReadsBeside {
  let reader: Thread | undefined;
  let isUsable = false;

  const startOnce = () => {
    if (reader) return;
    const stopUsing = () => {
      isUsable = false;
    };
    reader = start(stopUsing);
    remotePort<ReadThread>(reader.call)
      .ready()
      .then(() => {
        isUsable = true;
      }, stopUsing);
  };

  return {
    async send(...call) {
      const [method] = call;
      if (!READS.has(method) || store.pending === 0) return store.call(...call);
      startOnce();
      if (!isUsable) return store.call(...call);
      try {
        return await reader!.call(...call);
      } catch {
        // The store decides what is wrong with it, or finds what only it can find.
        return store.call(...call);
      }
    },
    async close() {
      const wasUsable = isUsable;
      isUsable = false;
      if (wasUsable) await remotePort<ReadThread>(reader!.call).close();
      await reader?.terminate();
    },
  };
}
