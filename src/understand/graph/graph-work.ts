// The jobs of the format `knowledgeGraph` in the thread.
import type { KnowledgeGraph } from '../../contracts/formats/knowledge-graph.ts';
import { type CarriedSource, openSource } from '../../page/understanding.ts';
import { entityGraph } from './entity-graph.ts';
import { type ReadGraph, readGraph } from './read-graph.ts';

export interface GraphWork {
  find(source: CarriedSource, types?: readonly string[]): Promise<KnowledgeGraph>;
  /** What a model answered, as far as it stands on the page. */
  read(source: CarriedSource, answer: unknown, types?: readonly string[]): Promise<ReadGraph>;
}

export const graphWork: GraphWork = {
  find: async (source, types) => entityGraph(openSource(source), types),
  read: async (source, answer, types) => readGraph(openSource(source), answer, types),
};
