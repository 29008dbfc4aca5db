// The jobs of the page threads that gathering takes.

import type { JsonSchema } from '../json/schema/subschemas.ts';
import type { FoundPassage } from './find-answer.ts';
import type { GatherGoal, LinkToRead, MergedData, ReadRow, SourcePage, WeightedPage } from './gathered.ts';
import type { PageLinks } from './page-links.ts';
import type { Relevance } from './relevance.ts';
import type { TaskPlan } from './task-words.ts';

export interface GatherWork {
  plan(goal: GatherGoal): Promise<TaskPlan>;
  links(page: SourcePage): Promise<PageLinks>;
  scoreLinks(goal: GatherGoal, links: readonly LinkToRead[]): Promise<Relevance[]>;
  scorePages(goal: GatherGoal, pages: readonly SourcePage[]): Promise<Relevance[]>;
  merge(schema: JsonSchema, pages: readonly WeightedPage[], details: readonly ReadRow[]): Promise<MergedData>;
  /** For requests without a schema: what the pages say, whatever its form. */
  mergeFree(pages: readonly WeightedPage[]): Promise<MergedData>;
  /** The passages of the pages that answer the prompt, those of the best page first. */
  answer(prompt: string, pages: readonly WeightedPage[]): Promise<FoundPassage[]>;
}
