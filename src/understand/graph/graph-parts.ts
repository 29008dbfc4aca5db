// Keeps a graph consistent: nodes of the requested types, and edges whose ends are there.
import type { GraphNode, KnowledgeGraph } from '../../contracts/formats/knowledge-graph.ts';

/** `typesOf` gives all types of a node, where it has more than the one that it shows. */
export function onlyTypes(
  { nodes, edges }: KnowledgeGraph,
  types: readonly string[] | undefined,
  typesOf: (id: string) => Iterable<string> = () => [],
): KnowledgeGraph {
  const wanted = types && types.length > 0 ? new Set(types.map((type) => type.trim().toLowerCase())) : undefined;
  const isWanted = ({ id, type }: GraphNode) =>
    !wanted || [type, ...typesOf(id)].some((each) => wanted.has(each.toLowerCase()));
  const kept = nodes.filter(isWanted);
  const ids = new Set(kept.map(({ id }) => id));
  return { nodes: kept, edges: edges.filter(({ source, target }) => ids.has(source) && ids.has(target)) };
}

/** Nodes with the same id are one; the first says what it is called, all add properties. */
export function mergeNodes(nodes: readonly GraphNode[]): GraphNode[] {
  const merged = new Map<string, GraphNode>();
  for (const node of nodes) {
    const known = merged.get(node.id);
    if (!known) merged.set(node.id, { ...node });
    else if (node.properties) known.properties = [...(known.properties ?? []), ...node.properties];
  }
  return [...merged.values()];
}
