// The jobs of the format `knowledgeGraph` in the thread.
import type { KnowledgeGraph } from '../../contracts/knowledge-graph.ts';
import type { PageSource } from '../../contracts/understanding.ts';
import { entityGraph } from './entity-graph.ts';
import { readGraph } from './read-graph.ts';

export interface GraphWork {
  find(source: PageSource, types?: readonly string[]): Promise<KnowledgeGraph>;
  /** What a model answered, as far as it stands on the page. */
  read(source: PageSource, answer: unknown, types?: readonly string[]): Promise<KnowledgeGraph>;
}

export const graphWork: GraphWork = {
  find: async (source, types) => entityGraph(source, types),
  read: async (source, answer, types) => readGraph(source, answer, types),
};
