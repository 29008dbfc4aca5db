// Which language models are set, for `trawl doctor`; with --network each is asked something small.
import type { Config } from '../../../config/settings.ts';
import { createAiModel } from '../../../models/adapter/ai-model.ts';
import { createEmbeddingServer } from '../../../models/adapter/embedding-server.ts';
import { createModels, type ModelStatus, type OperatedModels } from '../../../models/create-models.ts';
import { modelsByPurpose } from '../../../models/model-choice.ts';
import { createLog } from '../../../runtime/log.ts';
import type { InspectionFinding } from '../../../store/tools/inspect/finding.ts';
import { systemClock } from '../../../util/clock.ts';
import { composeEgress } from '../../egress.ts';

const CHECK = 'language model';
const EMBEDDINGS = 'embeddings';

interface Asked {
  models: ModelStatus[];
  /** Nothing if no server is set for them. */
  embeddings: InspectionFinding[];
}

export async function languageModels(config: Config, areAsked: boolean): Promise<InspectionFinding[]> {
  const { models, embeddings } = areAsked ? await askModels(config) : notAsked(config);
  return [...findingsOf(models), ...embeddings];
}

/** What is known without a request. */
function notAsked({ models }: Config): Asked {
  const { embeddings } = models;
  const text = `${embeddings?.model} (not tried; --network asks it)`;
  return { models: modelsByPurpose(models), embeddings: embeddings ? [{ check: EMBEDDINGS, state: 'ok', text }] : [] };
}

function findingsOf(models: readonly ModelStatus[]): InspectionFinding[] {
  const byModel = Map.groupBy<string | undefined, ModelStatus>(models, ({ model }) => model);
  byModel.delete(undefined);
  if (byModel.size === 0) {
    const todo = 'Formats that need understanding are made without one, and say so: docs/operate/models.md.';
    return [{ check: CHECK, state: 'skipped', text: 'none is set (TRAWL_MODEL)', todo }];
  }
  return [...byModel].map(([model, purposes]) => findingOf(model!, purposes));
}

function findingOf(model: string, purposes: readonly ModelStatus[]): InspectionFinding {
  const { state, problem } = purposes[0]!;
  const text = `${model} for ${purposes.map(({ purpose }) => purpose).join(', ')}`;
  if (state === undefined) return { check: CHECK, state: 'ok', text: `${text} (not tried; --network asks it)` };
  if (state === 'answers') return { check: CHECK, state: 'ok', text: `${text}: it answers` };
  const todo = 'Check TRAWL_MODEL, TRAWL_MODEL_URL and TRAWL_MODEL_KEY: docs/operate/models.md.';
  return { check: CHECK, state: 'warn', text: `${text}: it ${problem ?? 'did not answer'}`, todo };
}

async function askModels(config: Config): Promise<Asked> {
  const egress = composeEgress(config, { ownAddress: () => undefined });
  const models = createModels({
    settings: config.models,
    open: (choice) => createAiModel(choice, { egress, clock: systemClock }),
    openEmbeddings: (choice) => createEmbeddingServer(choice, { egress, clock: systemClock }),
    ledger: { usedSince: async () => 0, add: async () => {} },
    clock: systemClock,
    // The findings say what went wrong.
    log: createLog('silent'),
    onCall: () => {},
  });
  try {
    const { signal } = new AbortController();
    await models.check(signal);
    return { models: models.status(), embeddings: await askEmbeddings(models, signal) };
  } finally {
    await egress.close();
  }
}

async function askEmbeddings(models: OperatedModels, signal: AbortSignal): Promise<InspectionFinding[]> {
  const chosen = models.embedder({ team: '', isPrivate: false });
  if (!chosen || 'without' in chosen) return [];
  const { embedder } = chosen;
  try {
    const [vector] = await embedder.embed(['ok'], signal);
    const text = `${embedder.model}: it answers, ${vector!.length} numbers a vector`;
    return [{ check: EMBEDDINGS, state: 'ok', text }];
  } catch (error) {
    const todo = 'Check TRAWL_EMBEDDINGS_URL, _MODEL and _KEY: docs/operate/models.md.';
    return [{ check: EMBEDDINGS, state: 'warn', text: (error as Error).message, todo }];
  }
}
