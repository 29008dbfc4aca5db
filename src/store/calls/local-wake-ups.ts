// Wake-ups within one process.
import type { Topic, WakeUpHandler, WakeUpSource, WakeUps } from '../ports/wake-ups.ts';

export interface LocalWakeUps extends WakeUps {
  /** Runs the handlers for what another process has said. */
  receive(topic: Topic, key?: string): void;
  /** Something may have been missed: runs all handlers. */
  receiveAll(): void;
}

export function createLocalWakeUps(): LocalWakeUps {
  const handlers = new Map<Topic, Map<object, { handler: WakeUpHandler; from: WakeUpSource }>>();

  const run = (topic: Topic, key: string | undefined, isOwn: boolean) => {
    for (const { handler, from } of [...(handlers.get(topic)?.values() ?? [])])
      if (!isOwn || from === 'anywhere') handler(key);
  };

  return {
    isShared: false,
    notify: (topic, key) => run(topic, key, true),
    on(topic, handler, from = 'anywhere') {
      const ofTopic = handlers.get(topic) ?? new Map();
      handlers.set(topic, ofTopic);
      const entry = { handler, from };
      ofTopic.set(entry, entry);
      return () => void ofTopic.delete(entry);
    },
    receive: (topic, key) => run(topic, key, false),
    receiveAll() {
      for (const topic of handlers.keys()) run(topic, undefined, false);
    },
    close: async () => {},
  };
}
