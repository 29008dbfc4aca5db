// How much each browser context has loaded, decompressed. Chromium decodes responses itself, and most of them are
// encrypted end to end: our proxy only sees how many bytes came over the wire.
export interface DecodedTraffic {
  /** Reads every message of the browser: Playwright has it report the traffic of pages, frames and workers. */
  observe(message: string): void;
  /** Calls `onBytes` with the total so far, each time the context has received something. Returns a function that ends it. */
  watch(browserContextId: string, onBytes: (total: number) => void): () => void;
}

interface Counter {
  total: number;
  onBytes(total: number): void;
}

const RECEIVED = '{"method":"Network.dataReceived",';
const ATTACHED = '{"method":"Target.attachedToTarget",';
const DETACHED = '{"method":"Target.detachedFromTarget",';

export function createDecodedTraffic(): DecodedTraffic {
  const contexts = new Map<string, string>();
  const counters = new Map<string, Counter>();

  const count = (message: string) => {
    const { params, sessionId } = JSON.parse(message);
    const counter = counters.get(contexts.get(sessionId) ?? '');
    if (!counter) return;
    counter.total += params.dataLength;
    counter.onBytes(counter.total);
  };

  return {
    observe(message) {
      if (message.startsWith(RECEIVED)) return count(message);
      if (message.startsWith(ATTACHED)) {
        const { sessionId, targetInfo } = JSON.parse(message).params;
        if (targetInfo.browserContextId) contexts.set(sessionId, targetInfo.browserContextId);
      } else if (message.startsWith(DETACHED)) {
        contexts.delete(JSON.parse(message).params.sessionId);
      }
    },
    watch(browserContextId, onBytes) {
      counters.set(browserContextId, { total: 0, onBytes });
      return () => counters.delete(browserContextId);
    },
  };
}
