// The index on OpenSearch. Only the thread of this process is measured; OpenSearch itself works elsewhere.
import { createEngineOf } from './page-index-engine.ts';

export const open = createEngineOf('opensearch');
