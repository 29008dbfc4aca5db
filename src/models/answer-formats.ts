// Structured output by what a server can do: JSON by a schema, any JSON, or prose that contains JSON. What worked is
// remembered for each model.
import { ServiceError } from '../contracts/errors/errors.ts';
import { createBoundedMap } from '../util/bounded-map.ts';
import type { Clock } from '../util/clock.ts';
import { ModelProblem } from './model-problem.ts';
import type { AnswerFormat } from './provider-model.ts';

/** A server may learn, and a refusal may be due to one schema alone. */
const REMEMBER_MS = 60 * 60_000;
const MAX_MODELS = 100;

const LADDER = ['schema', 'json', 'text'] as const;

export interface AnswerFormats {
  /** Tries one format after the other until `ask` gives a value. Throws what `ask` throws. */
  object(model: string, schema: object, ask: (format: AnswerFormat) => Promise<unknown>): Promise<unknown>;
}

export function createAnswerFormats(clock: Pick<Clock, 'now'>): AnswerFormats {
  const firstRungs = createBoundedMap<string, number>({ maxEntries: MAX_MODELS, ttlMs: REMEMBER_MS, clock });
  return {
    async object(model, schema, ask) {
      const first = firstRungs.get(model) ?? 0;
      for (let rung = first; ; rung += 1) {
        try {
          const value = await ask(formatOf(LADDER[rung]!, schema));
          if (rung > first) firstRungs.set(model, rung);
          return value;
        } catch (error) {
          if (!isDueToFormat(error) || rung === LADDER.length - 1) throw error;
        }
      }
    },
  };
}

const formatOf = (rung: (typeof LADDER)[number], schema: object): AnswerFormat =>
  rung === 'schema' ? { schema } : rung;

/** A server that ignores the format may answer in prose. */
function isDueToFormat(error: unknown): boolean {
  const problem = error instanceof ServiceError ? error.cause : undefined;
  return problem instanceof ModelProblem && (problem.kind === 'format' || problem.kind === 'malformed');
}

/** Models do better if they have read the schema, even where the server enforces it. */
export const schemaRule = (schema: object): string =>
  `Answer with one JSON value that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`;
