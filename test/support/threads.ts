// Threads of the product that all test files of a process share: starting one takes longer than most of its tests.
import { createEncoders, type Encoders } from '../../src/encoders/encoders.ts';
import type { Models } from '../../src/models/language-model.ts';
import { createPagePool, type PagePool } from '../../src/page-threads/page-pool.ts';
import type { ProgramStore } from '../../src/store/ports/pages/program-store.ts';
import { createUnderstander, type Understander } from '../../src/understand/understander.ts';
import { lazy } from '../../src/util/lazy.ts';
import { atWorkerEnd } from './worker-end.ts';

/** Nobody closes it but the end of the process. */
export const sharedPagePool: () => PagePool = lazy(() => {
  const pool = createPagePool({ workers: 1 });
  atWorkerEnd(() => pool.close());
  return { ...pool, close: async () => {} };
});

/** Our own models in their thread. Nobody closes it but the end of the process. */
export const shareEncoders: () => Encoders = lazy(() => {
  const encoders = createEncoders();
  atWorkerEnd(() => encoders.close());
  return { ...encoders, close: async () => {} };
});

/** An understander with models of its own. It need not be closed. */
export const shareUnderstander = (models: Models, programs?: ProgramStore): Understander =>
  createUnderstander(models, { pool: sharedPagePool(), ...(programs && { programs }) });
