// The real models over a model server on loopback, for tests of what asks them.
import type { TestContext } from 'node:test';
import { readConfig } from '../../../src/config/settings.ts';
import type { ModelPurpose } from '../../../src/contracts/operator/model-purpose.ts';
import { createAiModel } from '../../../src/models/adapter/ai-model.ts';
import { createEmbeddingServer } from '../../../src/models/adapter/embedding-server.ts';
import type { CallOutcome } from '../../../src/models/asked-model.ts';
import { createModels, type OperatedModels } from '../../../src/models/create-models.ts';
import type { LanguageModel, ModelAsker } from '../../../src/models/language-model.ts';
import { modelOrigins } from '../../../src/models/model-choice.ts';
import { parseAllowList } from '../../../src/net/addresses/allow-list.ts';
import { createEgress } from '../../../src/net/egress.ts';
import { type Clock, systemClock } from '../../../src/util/clock.ts';
import type { Dialect } from './dialects.ts';
import { type ModelServer, type ReplyRule, startModelServer } from './model-server.ts';

export interface TestModels {
  server: ModelServer;
  models: OperatedModels;
  /** The model for a purpose and a team; throws if there is none. */
  model(purpose?: ModelPurpose, asker?: Partial<ModelAsker>): LanguageModel;
  outcomes: CallOutcome[];
  /** Tokens that were added to the ledger, by team. */
  spent: Map<string, number>;
  /** What was logged, as one text. */
  logged(): string;
}

interface Options {
  dialect?: Dialect;
  settings?: Record<string, string>;
  clock?: Clock;
}

/** Everything is closed after the test. */
export async function openTestModels(t: TestContext, rule: ReplyRule, options: Options = {}): Promise<TestModels> {
  const { dialect = 'chat', settings = {}, clock = systemClock } = options;
  const server = await startModelServer(rule);
  const config = readConfig({ ...server.settings(dialect), ...settings });
  const egress = createEgress({
    allow: parseAllowList(''),
    dnsServers: [],
    proxies: { basic: [], enhanced: [] },
    modelProxies: config.modelProxy,
    maxPageBytes: 1_000_000,
    ownAddress: () => undefined,
    operatorOrigins: modelOrigins(config.models),
  });
  t.after(async () => {
    await egress.close();
    await server.close();
  });
  const spent = new Map<string, number>();
  const outcomes: CallOutcome[] = [];
  const lines: unknown[] = [];
  const models = createModels({
    settings: config.models,
    open: (choice) => createAiModel(choice, { egress, clock }),
    openEmbeddings: (choice) => createEmbeddingServer(choice, { egress, clock }),
    ledger: {
      usedSince: async (team) => spent.get(team) ?? 0,
      add: async (team, tokens) => void spent.set(team, (spent.get(team) ?? 0) + tokens),
    },
    clock,
    log: { info: (...line: unknown[]) => lines.push(line), warn: (...line: unknown[]) => lines.push(line) } as never,
    onCall: (outcome) => outcomes.push(outcome),
  });
  return {
    server,
    models,
    model(purpose = 'extract', asker = {}) {
      const chosen = models.choose(purpose, { team: 'team', isPrivate: false, ...asker });
      if ('without' in chosen) throw new Error(`no model: ${chosen.without}`);
      return chosen.model;
    },
    outcomes,
    spent,
    logged: () => JSON.stringify(lines),
  };
}
