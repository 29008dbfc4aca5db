// What to search the web for: a language model writes the queries, if there is one and a search is needed.

import { ServiceError } from '../../contracts/errors/errors.ts';
import type { RunTools } from '../../jobs/runs/run-handler.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { PLAN_INSTRUCTIONS, PLAN_SCHEMA } from '../../understand/prompts/tasks/plan-queries.ts';
import type { GatherTask } from './gather.ts';

interface PlanTools {
  tools: Pick<RunTools, 'step' | 'signal'>;
  model(): { model: LanguageModel } | { without: string };
  hasModel: boolean;
}

const MAX_QUERIES = 3;
const MAX_QUERY = 200;
const MAX_TOKENS = 1_000;

/** Empty if the words of the prompt have to do. */
export async function planQueries({ tools, model, hasModel }: PlanTools, task: GatherTask): Promise<string[]> {
  const isSearched = task.search === 'always' || (task.search === 'without-urls' && task.urls.length === 0);
  if (!hasModel || !isSearched || task.prompt === undefined) return [];
  const { queries } = await tools.step(
    { key: 'plan', name: 'plan', input: { prompt: task.prompt } },
    async (signal) => {
      const found = model();
      if ('without' in found) return { output: { message: found.without, queries: [] } };
      try {
        const { value, usage } = await found.model.object({
          instructions: PLAN_INSTRUCTIONS,
          material: {
            request: task.prompt!,
            fields: Object.keys((task.schema?.properties as object | undefined) ?? {}).join(', '),
          },
          schema: PLAN_SCHEMA,
          maxOutputTokens: MAX_TOKENS,
          signal,
        });
        const written = textsIn(value);
        const tokens = usage.inputTokens + usage.outputTokens;
        return { output: { message: `Search for: ${written.join('; ')}`, queries: written }, tokens };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        return { output: { message: error.message, queries: [] } };
      }
    },
  );
  return queries;
}

/** A model may answer with anything. */
function textsIn(value: unknown): string[] {
  const { queries } = (value ?? {}) as { queries?: unknown };
  if (!Array.isArray(queries)) return [];
  return queries
    .filter((text): text is string => typeof text === 'string' && text.trim() !== '')
    .map((text) => text.trim().slice(0, MAX_QUERY))
    .slice(0, MAX_QUERIES);
}
