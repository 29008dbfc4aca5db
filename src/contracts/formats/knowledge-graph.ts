// The format `knowledgeGraph`: the things that a page describes, and how they relate.
import { z } from 'zod';

const properties = z.array(z.object({ key: z.string(), value: z.string() })).optional();

export const knowledgeGraph = z.lazy(() =>
  z.object({
    nodes: z.array(z.object({ id: z.string(), label: z.string(), type: z.string(), properties })),
    edges: z.array(z.object({ source: z.string(), target: z.string(), relation: z.string(), properties })),
  }),
);

export type KnowledgeGraph = z.output<typeof knowledgeGraph>;
export type GraphNode = KnowledgeGraph['nodes'][number];
export type GraphEdge = KnowledgeGraph['edges'][number];
