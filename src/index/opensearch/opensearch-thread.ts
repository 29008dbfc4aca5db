// The index thread for OpenSearch: analysis and ranking take time that the event loop of the service does not have.
import { workerData } from 'node:worker_threads';
import { serveThread } from '../../runtime/threads/thread.ts';
import type { PageIndex } from '../page-index.ts';
import { createEngine } from './engine/engine.ts';
import type { IndexAddress } from './engine/index-address.ts';
import { createOpenSearchIndex } from './opensearch-index.ts';

const { address, installation } = workerData as { address: IndexAddress; installation?: string };
serveThread<PageIndex>(createOpenSearchIndex(createEngine(address), address.prefix, installation));
