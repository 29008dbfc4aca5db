// The models that the operator has set, by purpose: chosen for a request, checked at the start, described for the operator.
import { queueFull } from '../contracts/errors/errors.ts';
import { MODEL_PURPOSES, type ModelPurpose } from '../contracts/operator/model-purpose.ts';
import { createGate, type Gate } from '../runtime/gate/gate.ts';
import type { Log } from '../runtime/log.ts';
import { startDeadline } from '../util/abort.ts';
import { createBoundedMap } from '../util/bounded-map.ts';
import type { Clock } from '../util/clock.ts';
import { hashOf } from '../util/hash.ts';
import { randomToken } from '../util/ids.ts';
import { lazy } from '../util/lazy.ts';
import { createAnswerFormats } from './answer-formats.ts';
import { type CallOutcome, createAskedModel } from './asked-model.ts';
import { type Availability, type AvailabilityStatus, createAvailability } from './availability.ts';
import { createLanguageModel } from './create-language-model.ts';
import { createDailyTokens, type DailyTokens, type TokenLedger } from './daily-tokens.ts';
import { createEmbedder, type EmbeddingServer, type TextEmbedder } from './embeddings/embedder.ts';
import type { ModelAsker, Models, ModelUsage } from './language-model.ts';
import {
  type EmbeddingChoice,
  isOnThisMachine,
  type ModelChoice,
  type ModelSettings,
  modelVariable,
} from './model-choice.ts';
import { isOperatorProblem, isTemporary, ModelProblem } from './model-problem.ts';
import { createModelTurns } from './model-turn.ts';
import { NO_MODEL_SET } from './no-models.ts';
import type { ProviderModel } from './provider-model.ts';

export interface ModelsDeps {
  settings: ModelSettings;
  /** The adapter. */
  open(choice: ModelChoice): ProviderModel;
  openEmbeddings(choice: EmbeddingChoice): EmbeddingServer;
  ledger: TokenLedger;
  clock: Clock;
  log: Pick<Log, 'info' | 'warn'>;
  onCall(outcome: CallOutcome): void;
}

/** What the operator is told. */
export interface ModelStatus extends Partial<AvailabilityStatus> {
  purpose: ModelPurpose;
  /** Undefined if none is set. */
  model?: string;
}

export interface OperatedModels extends Models {
  /** Asks each model something small, so that a wrong key or name is found before the first request. */
  check(signal: AbortSignal): Promise<void>;
  /** Asks the model for this purpose the same, now, also while it is paused. */
  test(purpose: ModelPurpose, signal: AbortSignal): Promise<ModelTest>;
  status(): ModelStatus[];
  /** The model for vectors of texts. Undefined if none is set; `without` says why it cannot be used, in words for the caller. */
  embedder(asker: ModelAsker): { embedder: TextEmbedder } | { without: string } | undefined;
}

export interface ModelTest {
  ms: number;
  /** Why it did not answer: a sentence. */
  problem?: string;
}

/** Answers are small; a page is not. */
const CACHE_CHARACTERS = 4_000_000;
const CACHE_MS = 60 * 60_000;
const CHECK_TOKENS = 16;
/** A local server may have to load the model first. */
const CHECK_MS = 60_000;

export function createModels(deps: ModelsDeps): OperatedModels {
  const { settings, open, clock, log } = deps;
  const { choices } = settings;
  const servers = new Map<string, Server>();
  const serverOf = (choice: ModelChoice): Server => {
    const id = hashOf(choice.url, choice.model, choice.key);
    const known = servers.get(id) ?? {
      choice,
      provider: open(choice),
      availability: createAvailability(choice.name, { clock, log }),
    };
    servers.set(id, known);
    return known;
  };
  const shared = lazy(() => ({
    gate: createGate({ size: settings.concurrency, clock, refusal: queueFull }),
    tokens: createDailyTokens(settings.tokensPerDay, deps),
    formats: createAnswerFormats(clock),
    secret: randomToken(32),
    cache: createBoundedMap<string, string>({
      maxWeight: CACHE_CHARACTERS,
      weightOf: (value, key) => value.length + key.length,
      ttlMs: CACHE_MS,
      clock,
    }),
  }));

  const whyNoneIsSet = (purpose: ModelPurpose): string =>
    settings.switchedOff.includes(purpose)
      ? `the operator has switched the model off for this (${modelVariable(purpose)}=off)`
      : NO_MODEL_SET;

  const reasonAgainst = (
    choice: Pick<ModelChoice, 'name' | 'url'>,
    asker: ModelAsker,
    availability: Availability,
  ): string | undefined => {
    if (asker.isPrivate && !settings.allowsPrivate && !isOnThisMachine(choice)) {
      return 'under zero data retention and `lockdown`, no text may go to a model on another machine';
    }
    if (shared().tokens.isUsedUp(asker.team)) return 'your team has used up its tokens of today';
    const problem = availability.pausedBy();
    return problem === undefined ? undefined : `the model ${choice.name} ${problem}`;
  };

  return {
    choose(purpose, asker) {
      const choice = choices[purpose];
      if (!choice) return { without: whyNoneIsSet(purpose) };
      const without = reasonAgainst(choice, asker, serverOf(choice).availability);
      if (without !== undefined) return { without };
      const { gate, tokens, formats, secret, cache } = shared();
      const { creditsPer1000Tokens } = settings;
      const { onCall } = deps;
      const asked = createAskedModel(purpose, asker, {
        ...serverOf(choice),
        ...{ gate, tokens, creditsPer1000Tokens, clock, onCall },
      });
      const remembered = asker.isPrivate ? undefined : cache;
      return {
        model: createLanguageModel({
          choice,
          ...{ asked, formats, secret },
          cache: remembered,
          team: asker.team,
          onCached: () => onCall({ purpose, outcome: 'cached' }),
        }),
      };
    },
    embedder: createEmbedders(deps, { reasonAgainst, shared }),
    async check(signal) {
      for (const choice of Object.values(choices)) serverOf(choice);
      await Promise.all([...servers.values()].map((server) => checkServer(server, signal)));
    },
    status: () =>
      MODEL_PURPOSES.map((purpose) => {
        const choice = choices[purpose];
        if (!choice) return { purpose };
        return { purpose, model: choice.name, ...serverOf(choice).availability.status() };
      }),
    async test(purpose, signal) {
      const choice = choices[purpose];
      if (!choice) return { ms: 0, problem: `${capitalised(whyNoneIsSet(purpose))}.` };
      const server = serverOf(choice);
      const began = performance.now();
      const failure = await checkServer(server, signal);
      const ms = Math.round(performance.now() - began);
      signal.throwIfAborted();
      return { ms, ...(failure && { problem: `The model ${choice.name} ${failure.message}.` }) };
    },
  };
}

interface Server {
  choice: ModelChoice;
  provider: ProviderModel;
  availability: Availability;
}

interface EmbedderParts {
  reasonAgainst(choice: Pick<ModelChoice, 'name' | 'url'>, asker: ModelAsker, its: Availability): string | undefined;
  shared(): { gate: Gate; tokens: DailyTokens };
}

function createEmbedders(deps: ModelsDeps, { reasonAgainst, shared }: EmbedderParts): OperatedModels['embedder'] {
  const { settings, openEmbeddings, onCall, clock } = deps;
  const { embeddings, creditsPer1000Tokens } = settings;
  if (!embeddings) return () => undefined;
  const name = embeddings.model;
  const availability = createAvailability(name, deps);
  const server = lazy(() => openEmbeddings(embeddings));
  return (asker) => {
    const without = reasonAgainst({ ...embeddings, name }, asker, availability);
    if (without !== undefined) return { without };
    const turns = createModelTurns(asker, {
      ...shared(),
      ...{ name, availability, clock, creditsPer1000Tokens },
      onFailure: () => onCall({ purpose: 'embed', outcome: 'failed' }),
    });
    const onDone = (usage: ModelUsage) => onCall({ purpose: 'embed', outcome: 'ok', usage });
    return { embedder: createEmbedder(name, { server: server(), turns, onDone }) };
  };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns why the model cannot be used; undefined if it can. */
async function checkServer({ provider, availability }: Server, outer: AbortSignal): Promise<ModelProblem | undefined> {
  const { signal, done } = startDeadline(CHECK_MS, () => new ModelProblem('down'), outer);
  try {
    await provider.write({
      instructions: 'Answer with the word ok.',
      messages: [{ from: 'user', text: 'ok' }],
      tools: [],
      format: 'text',
      maxOutputTokens: CHECK_TOKENS,
      signal,
    });
    availability.succeeded();
    return undefined;
  } catch (error) {
    // Whatever else it says, the server knows key and model.
    if (outer.aborted || !(error instanceof ModelProblem)) return undefined;
    if (isOperatorProblem(error) || isTemporary(error)) {
      availability.failed(error);
      return error;
    }
    availability.succeeded();
    return undefined;
  } finally {
    done();
  }
}
