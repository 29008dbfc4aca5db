// The entities of a page's JSON-LD, microdata and RDFa, and the people that it shows, as a graph: items are nodes, properties
// that name an item are edges.
import type { GraphEdge, GraphNode, KnowledgeGraph } from '../../contracts/formats/knowledge-graph.ts';
import type { DataItem } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { folded, isItem, nameOf, textOf } from '../data/item-values.ts';
import { onlyTypes } from './graph-parts.ts';
import { peopleOf } from './people.ts';

const MAX_NODES = 2_000;
const MAX_EDGES = 10_000;
const MAX_DEPTH = 24;
const MAX_PROPERTIES = 50;
const MAX_TEXT = 1_000;

/** `types` filters the nodes, in any case of letters; without it, all are kept. */
export function entityGraph(source: PageSource, types?: readonly string[]): KnowledgeGraph {
  const graph = new EntityGraph();
  for (const item of [...(source.data?.items ?? []), ...peopleOf(source)]) graph.add(item, 0);
  return onlyTypes(graph.finish(), types, graph.typesOf);
}

class EntityGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #types = new Map<string, Set<string>>();
  readonly #edges = new Map<string, GraphEdge>();
  /** Values that may turn out to be the id of a node. */
  readonly #references: GraphEdge[] = [];

  typesOf = (id: string): Iterable<string> => this.#types.get(id) ?? [];

  /** The id of the item's node; undefined for values without a name, such as a price or a size. */
  add(item: DataItem, depth: number): string | undefined {
    const label = nameOf(item) ?? textOf(item, 'url') ?? (item.id?.startsWith('_:') ? undefined : item.id);
    if (label === undefined || item.types.length === 0 || depth > MAX_DEPTH) return undefined;
    const type = item.types[0]!;
    const id = item.id ?? `${type}:${folded(label).replaceAll(' ', '-') || label}`;
    if (!this.#nodes.has(id) && this.#nodes.size >= MAX_NODES) return undefined;
    const node = this.#nodes.get(id) ?? { id, label: label.slice(0, MAX_TEXT), type };
    this.#nodes.set(id, node);
    this.#types.set(id, new Set([...(this.#types.get(id) ?? []), ...item.types]));
    for (const [relation, values] of Object.entries(item.properties)) {
      for (const value of values) {
        if (isItem(value)) this.#connect(id, relation, value, node, depth);
        else this.#state(id, relation, String(value), node);
      }
    }
    return id;
  }

  finish(): KnowledgeGraph {
    for (const edge of this.#references) if (this.#nodes.has(edge.target)) this.#addEdge(edge);
    return { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()] };
  }

  #connect(source: string, relation: string, item: DataItem, node: GraphNode, depth: number): void {
    const target = this.add(item, depth + 1);
    if (target !== undefined) this.#addEdge({ source, target, relation });
    if (target !== undefined || depth > MAX_DEPTH) return;
    // A thing without a name: what it says is said about the entity ("offers.price").
    for (const [name, values] of Object.entries(item.properties)) {
      for (const value of values) {
        if (isItem(value)) this.#connect(source, `${relation}.${name}`, value, node, depth + 1);
        else this.#state(source, `${relation}.${name}`, String(value), node);
      }
    }
  }

  #state(source: string, key: string, value: string, node: GraphNode): void {
    if (this.#references.length < MAX_EDGES && value.length < MAX_TEXT)
      this.#references.push({ source, target: value, relation: key });
    if (key === 'name' && value === node.label) return;
    node.properties ??= [];
    const text = value.slice(0, MAX_TEXT);
    const isKnown = node.properties.some((each) => each.key === key && each.value === text);
    if (!isKnown && node.properties.length < MAX_PROPERTIES) node.properties.push({ key, value: text });
  }

  #addEdge(edge: GraphEdge): void {
    const key = `${edge.source}\n${edge.relation}\n${edge.target}`;
    if (edge.source !== edge.target && this.#edges.size < MAX_EDGES) this.#edges.set(key, edge);
  }
}
