// Takes a model's graph apart and keeps what stands on the page: nodes by their label, edges whose ends are there.
import type { GraphNode, KnowledgeGraph } from '../../contracts/formats/knowledge-graph.ts';
import type { PageSource } from '../../page/understanding.ts';
import { type Fields, fieldOf, isFields, listIn } from '../data/json-fields.ts';
import { standsOnPage } from '../data/stands-on-page.ts';
import { mergeNodes, onlyTypes } from './graph-parts.ts';

const MAX_NODES = 2_000;
const MAX_EDGES = 10_000;
const MAX_TEXT = 1_000;

/** `answer` is in the form of GRAPH_SCHEMA, as far as the model kept to it. */
export function readGraph(source: PageSource, answer: unknown, types?: readonly string[]): KnowledgeGraph {
  if (!isFields(answer)) return { nodes: [], edges: [] };
  const stands = standsOnPage(source);
  const nodes = (listIn(answer, ['nodes']) ?? []).slice(0, MAX_NODES).flatMap((value) => nodeOf(value, stands) ?? []);
  const edges = (listIn(answer, ['edges']) ?? []).slice(0, MAX_EDGES).flatMap((value) => {
    const [from, to, relation] = ['source', 'target', 'relation'].map((name) =>
      isFields(value) ? text(value, name) : undefined,
    );
    return from === undefined || to === undefined || relation === undefined
      ? []
      : [{ source: from, target: to, relation }];
  });
  return onlyTypes({ nodes: mergeNodes(nodes), edges }, types);
}

function nodeOf(value: unknown, stands: (text: string) => boolean): GraphNode | undefined {
  if (!isFields(value)) return undefined;
  const [id, label, type] = ['id', 'label', 'type'].map((name) => text(value, name));
  if (id === undefined || label === undefined || type === undefined || !stands(label)) return undefined;
  const properties = (listIn(value, ['properties']) ?? []).filter(isFields).flatMap((each) => {
    const [key, stated] = [text(each, 'key'), text(each, 'value')];
    return key === undefined || stated === undefined || !stands(stated) ? [] : [{ key, value: stated }];
  });
  return { id, label, type, ...(properties.length > 0 && { properties }) };
}

function text(fields: Fields, name: string): string | undefined {
  const value = fieldOf(fields, name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_TEXT) : undefined;
}
