// Several registered processes on one database, for tests of what they count together.
import type { TestContext } from 'node:test';
import type { ProcessFacts } from '../../../../../src/store/ports/process-registry.ts';
import type { Store } from '../../../../../src/store/ports/store.ts';
import { createDatabase } from '../../../../conformance/open-postgres.ts';
import { START } from '../../../../conformance/samples.ts';

export interface SharedProcess {
  store: Store;
  limits: NonNullable<Store['sharedLimits']>;
  processId: string;
  /** Says that it is alive. */
  renew(now: number): Promise<boolean>;
}

const FACTS: Omit<ProcessFacts, 'id'> = {
  ...{ name: 'test', role: 'all', url: 'http://127.0.0.1:1', proof: '', version: '1', protocol: 1 },
  ...{ hasBrowser: false, freePages: 1, freeSessions: 1, maxConcurrency: 50, startedAt: START },
};

export async function openProcesses(t: TestContext, count: number): Promise<SharedProcess[]> {
  const database = await createDatabase(t);
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const store = await database.open();
      const processId = `process ${at}`;
      const renew = (now: number) => store.processes.renew({ ...FACTS, id: processId }, now);
      await renew(START);
      return { store, limits: store.sharedLimits!, processId, renew };
    }),
  );
}
