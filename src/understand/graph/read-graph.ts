// Takes a model's graph apart and keeps what stands on the page: nodes by their label, edges whose ends are there.
import type { GraphNode, KnowledgeGraph } from '../../contracts/formats/knowledge-graph.ts';
import type { PageSource } from '../../page/understanding.ts';
import { type Fields, fieldOf, isFields, listIn } from '../data/json-fields.ts';
import { standsOnPage } from '../data/stands-on-page.ts';
import { leftOutWarnings } from '../json/extract/invented.ts';
import { mergeNodes, onlyTypes } from './graph-parts.ts';

const MAX_NODES = 2_000;
const MAX_EDGES = 10_000;
const MAX_TEXT = 1_000;

export interface ReadGraph {
  graph: KnowledgeGraph;
  /** Warnings that name what does not stand on the page. */
  leftOut: string[];
}

/** `answer` is in the form of GRAPH_SCHEMA, as far as the model kept to it. */
export function readGraph(source: PageSource, answer: unknown, types?: readonly string[]): ReadGraph {
  if (!isFields(answer)) return { graph: { nodes: [], edges: [] }, leftOut: [] };
  const stands = standsOnPage(source);
  const invented = { nodes: 0, properties: 0 };
  const nodes = (listIn(answer, ['nodes']) ?? []).slice(0, MAX_NODES).flatMap((value) => {
    const node = nodeOf(value);
    if (!node) return [];
    if (!stands(node.label)) {
      invented.nodes += 1;
      return [];
    }
    const { properties: said = [], ...bare } = node;
    const properties = said.filter((each) => stands(each.value));
    invented.properties += said.length - properties.length;
    return [{ ...bare, ...(properties.length > 0 && { properties }) }];
  });
  const edges = (listIn(answer, ['edges']) ?? []).slice(0, MAX_EDGES).flatMap((value) => {
    const [from, to, relation] = ['source', 'target', 'relation'].map((name) =>
      isFields(value) ? text(value, name) : undefined,
    );
    return from === undefined || to === undefined || relation === undefined
      ? []
      : [{ source: from, target: to, relation }];
  });
  const left = [
    { path: 'nodes', entries: invented.nodes },
    { path: 'nodes[].properties', entries: invented.properties },
  ].filter(({ entries }) => entries > 0);
  const graph = onlyTypes({ nodes: mergeNodes(nodes), edges }, types);
  return { graph, leftOut: leftOutWarnings('knowledgeGraph', left) };
}

function nodeOf(value: unknown): GraphNode | undefined {
  if (!isFields(value)) return undefined;
  const [id, label, type] = ['id', 'label', 'type'].map((name) => text(value, name));
  if (id === undefined || label === undefined || type === undefined) return undefined;
  const properties = (listIn(value, ['properties']) ?? []).filter(isFields).flatMap((each) => {
    const [key, stated] = [text(each, 'key'), text(each, 'value')];
    return key === undefined || stated === undefined ? [] : [{ key, value: stated }];
  });
  return { id, label, type, properties };
}

function text(fields: Fields, name: string): string | undefined {
  const value = fieldOf(fields, name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_TEXT) : undefined;
}
