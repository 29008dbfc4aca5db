// Threads of the product that all test files of a process share: starting one takes longer than most of its tests.
import type { Models } from '../../src/models/language-model.ts';
import type { ProgramStore } from '../../src/store/program-store.ts';
import { createTransformPool } from '../../src/transform/pool.ts';
import type { Transformer } from '../../src/transform/transformer.ts';
import { createUnderstandPool, type UnderstandPool } from '../../src/understand/pool.ts';
import { createUnderstander, type Understander } from '../../src/understand/understander.ts';
import { atWorkerEnd } from './worker-end.ts';

/** Nobody closes it but the end of the process. */
function shared<Pool extends { close(): Promise<void> }>(open: () => Pool): () => Pool {
  let pool: Pool | undefined;
  return () => {
    if (!pool) {
      const opened = open();
      atWorkerEnd(() => opened.close());
      pool = { ...opened, close: async () => {} };
    }
    return pool;
  };
}

export const sharedTransformer: () => Transformer = shared(() => createTransformPool({ workers: 1 }));

export const sharedUnderstandPool: () => UnderstandPool = shared(() => createUnderstandPool({ workers: 1 }));

/** An understander with models of its own. It need not be closed. */
export const shareUnderstander = (models: Models, programs?: ProgramStore): Understander =>
  createUnderstander(models, { pool: sharedUnderstandPool(), ...(programs && { programs }) });
