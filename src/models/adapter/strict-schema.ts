// Whether a schema is closed, as `strict` structured output demands: every object names all of its properties and
// requires each. Servers refuse other schemas in that mode.

/** Deeper schemas are treated as open. */
const MAX_DEPTH = 32;
const MAPS = ['properties', '$defs', 'definitions'] as const;
const LISTS = ['anyOf', 'oneOf', 'allOf'] as const;

export function isStrictSchema(schema: unknown, depth = 0): boolean {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return false;
  const node = schema as Record<string, unknown>;
  const isObject = node.type === 'object' || node.properties !== undefined;
  if (isObject && !isClosed(node)) return false;
  return childrenOf(node).every((child) => isStrictSchema(child, depth + 1));
}

function isClosed({ properties, required, additionalProperties }: Record<string, unknown>): boolean {
  if (additionalProperties !== false || typeof properties !== 'object' || properties === null) return false;
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.keys(properties).every((name) => names.has(name));
}

function childrenOf(node: Record<string, unknown>): unknown[] {
  const maps = MAPS.flatMap((name) => Object.values((node[name] ?? {}) as object));
  const lists = LISTS.flatMap((name) => (Array.isArray(node[name]) ? node[name] : []));
  return [...maps, ...lists, ...(node.items === undefined ? [] : [node.items])];
}
