// Indexes on the OpenSearch at TRAWL_TEST_OPENSEARCH, which `npm run test:cluster` starts. Each has a prefix of its own and is
// removed at the end.
import { randomBytes } from 'node:crypto';
import { createEngine } from '../../src/index/opensearch/engine/engine.ts';
import { createOpenSearchIndex } from '../../src/index/opensearch/opensearch-index.ts';
import type { PageIndex } from '../../src/index/page-index.ts';

export const OPENSEARCH = process.env.TRAWL_TEST_OPENSEARCH;
export const NO_OPENSEARCH = OPENSEARCH === undefined && 'TRAWL_TEST_OPENSEARCH is not set';

/** A busy machine is slow, which is not what most tests are about. */
const PATIENCE_MS = 120_000;

export interface TestCluster {
  prefix: string;
  index: PageIndex;
  /** Another process with the same index; `server` if it reaches OpenSearch in another way. */
  openAgain(server?: string, silenceMs?: number, installation?: string): PageIndex;
  call(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  remove(): Promise<void>;
}

export function openOpenSearch(): TestCluster {
  const prefix = `trawl-test-${randomBytes(4).toString('hex')}`;
  const opened: PageIndex[] = [];
  const openAgain: TestCluster['openAgain'] = (
    server = OPENSEARCH!,
    silenceMs = PATIENCE_MS,
    installation = 'of the tests',
  ) => {
    const engine = createEngine({ nodes: server.split(','), prefix }, silenceMs);
    const index = createOpenSearchIndex(engine, prefix, installation);
    opened.push(index);
    return index;
  };
  const direct = createEngine({ nodes: [OPENSEARCH!], prefix }, PATIENCE_MS);
  const call: TestCluster['call'] = async (method, path, body) => (await direct.call({ method, path, body })).body;
  return {
    prefix,
    index: openAgain(),
    openAgain,
    call,
    async remove() {
      await call('DELETE', `/${prefix}-*`);
      await Promise.all(opened.map((index) => index.close()));
      await direct.close();
    },
  };
}
