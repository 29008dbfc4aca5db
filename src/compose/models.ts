// The language models that the operator has set: the adapter, the account of tokens, and the metrics.
import type { Config } from '../config/settings.ts';
import type { ServiceMetrics } from '../contracts/operator/metrics.ts';
import { createAiModel } from '../models/adapter/ai-model.ts';
import { createEmbeddingServer } from '../models/adapter/embedding-server.ts';
import type { CallOutcome } from '../models/asked-model.ts';
import { createModels, type OperatedModels } from '../models/create-models.ts';
import type { TokenLedger } from '../models/daily-tokens.ts';
import type { Egress } from '../net/egress.ts';
import type { Log } from '../runtime/log.ts';
import type { Ledger } from '../store/ports/teams/ledger.ts';
import type { Clock } from '../util/clock.ts';

interface Parts {
  egress: Pick<Egress, 'request'>;
  ledger: Ledger;
  metrics: ServiceMetrics;
  clock: Clock;
  log: Log;
}

export const composeModels = (config: Config, { egress, ledger, metrics, clock, log }: Parts): OperatedModels =>
  createModels({
    settings: config.models,
    open: (choice) => createAiModel(choice, { egress, clock }),
    openEmbeddings: (choice) => createEmbeddingServer(choice, { egress, clock }),
    ledger: tokenLedger(ledger, clock),
    clock,
    log,
    onCall: (outcome) => countCall(metrics, outcome),
  });

const DAY_MS = 24 * 60 * 60_000;

/** Credits are billed with the page; tokens at once, since the provider bills failed requests, too. */
const tokenLedger = (ledger: Ledger, clock: Pick<Clock, 'now'>): TokenLedger => ({
  async usedSince(team, from) {
    const bins = await ledger.usage(team, { from, until: from + DAY_MS, binMs: DAY_MS });
    return bins.reduce((sum, { tokens }) => sum + tokens, 0);
  },
  add: (teamId, tokens) => ledger.add({ teamId, operation: 'model', credits: 0, tokens, now: clock.now() }),
});

function countCall(metrics: ServiceMetrics, { purpose, outcome, usage }: CallOutcome): void {
  metrics.count('trawl_model_calls_total', { purpose, outcome });
  if (!usage) return;
  metrics.add('trawl_model_tokens_total', usage.inputTokens, { purpose, direction: 'input' });
  metrics.add('trawl_model_tokens_total', usage.outputTokens, { purpose, direction: 'output' });
}
