// The language model that TRAWL_MODEL names, as the service would use it, without its data folder.
import { readConfig } from '../../src/config/settings.ts';
import { createAiModel } from '../../src/models/adapter/ai-model.ts';
import { createEmbeddingServer } from '../../src/models/adapter/embedding-server.ts';
import { createModels } from '../../src/models/create-models.ts';
import { modelOrigins } from '../../src/models/model-choice.ts';
import { parseAllowList } from '../../src/net/addresses/allow-list.ts';
import { createEgress } from '../../src/net/egress.ts';
import { createPagePool } from '../../src/page-threads/page-pool.ts';
import { createUnderstander, type Understander } from '../../src/understand/understander.ts';
import { systemClock } from '../../src/util/clock.ts';

export interface SetModel {
  name: string;
  understander: Understander;
  close(): Promise<void>;
}

/** Undefined if the environment names no model. */
export function openSetModel(): SetModel | undefined {
  const name = process.env.TRAWL_MODEL;
  if (name === undefined || name === '') return undefined;
  const config = readConfig(process.env);
  const egress = createEgress({
    allow: parseAllowList(''),
    dnsServers: [],
    proxies: { basic: [], enhanced: [] },
    modelProxies: config.modelProxy,
    maxPageBytes: 10_000_000,
    ownAddress: () => undefined,
    operatorOrigins: modelOrigins(config.models),
  });
  const silent = () => {};
  const models = createModels({
    settings: config.models,
    open: (choice) => createAiModel(choice, { egress, clock: systemClock }),
    openEmbeddings: (choice) => createEmbeddingServer(choice, { egress, clock: systemClock }),
    ledger: { usedSince: async () => 0, add: async () => {} },
    clock: systemClock,
    log: { info: silent, warn: console.warn },
    onCall: silent,
  });
  const pool = createPagePool();
  const understander = createUnderstander(models, { pool });
  return {
    name,
    understander,
    async close() {
      await pool.close();
      await egress.close();
    },
  };
}
