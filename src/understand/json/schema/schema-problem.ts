// Says what is wrong with a caller's schema, before a page is fetched for it. Whatever passes can be walked, compiled and
// used in bounded time.
import { readSchema } from './read-schema.ts';
import { type JsonSchema, resolveReference, schemasInPlace, schemasInside } from './subschemas.ts';
import { compileValidator } from './validator.ts';

const MAX_SUBSCHEMAS = 1_500;
/** How many schemas may apply to one value. More come from alternatives that multiply. */
const MAX_IN_PLACE = 2_000;
const MAX_PATTERN_LENGTH = 1_000;
const MAX_WORDS = 500;

/** A sentence for the caller; undefined if the schema can be used. */
export function schemaProblem(given: JsonSchema): string | undefined {
  const schema = readSchema(given);
  const problem = openObject(schema) ?? sizeProblem(schema) ?? referenceProblem(schema);
  if (problem !== undefined) return problem;
  try {
    compileValidator(schema);
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return `The schema is not a valid JSON Schema: ${words.slice(0, MAX_WORDS)}`;
  }
}

function openObject({ type, additionalProperties, properties }: JsonSchema): string | undefined {
  if (type !== 'object' || additionalProperties !== true || properties !== undefined) return undefined;
  return 'The schema allows any object: it has `additionalProperties: true` and no `properties`. List the properties that you want.';
}

function sizeProblem(schema: JsonSchema): string | undefined {
  const open: JsonSchema[] = [schema];
  let count = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    count += 1;
    if (count > MAX_SUBSCHEMAS)
      return `The schema is too large: it may have ${MAX_SUBSCHEMAS} properties and other parts.`;
    if (typeof next.pattern === 'string' && next.pattern.length > MAX_PATTERN_LENGTH) {
      return `A \`pattern\` of the schema is longer than ${MAX_PATTERN_LENGTH} characters.`;
    }
    open.push(...schemasInPlace(next), ...schemasInside(next));
  }
  return undefined;
}

function referenceProblem(root: JsonSchema): string | undefined {
  const costs = new Map<JsonSchema, number | 'open'>();
  let problem: string | undefined;

  const cost = (schema: JsonSchema): number => {
    const known = costs.get(schema);
    if (known === 'open') problem ??= 'The schema refers to itself without end.';
    if (known !== undefined) return known === 'open' ? 0 : known;
    costs.set(schema, 'open');
    let total = 1;
    for (const other of schemasInPlace(schema)) total += cost(other);
    const target = referenced(schema);
    if (target) total += cost(target);
    costs.set(schema, Math.min(total, MAX_IN_PLACE + 1));
    if (total > MAX_IN_PLACE) problem ??= 'The schema is too complex: its alternatives and references multiply.';
    return Math.min(total, MAX_IN_PLACE + 1);
  };

  const referenced = (schema: JsonSchema): JsonSchema | undefined => {
    const { $ref } = schema;
    if ($ref === undefined) return undefined;
    const target = typeof $ref === 'string' ? resolveReference(root, $ref) : undefined;
    if (!target) problem ??= `The schema refers to ${JSON.stringify($ref)?.slice(0, 100)}, which is not a part of it.`;
    return target;
  };

  const open: JsonSchema[] = [root];
  for (let next = open.pop(); next && problem === undefined; next = open.pop()) {
    if ('$dynamicRef' in next || '$recursiveRef' in next || (next !== root && typeof next.$id === 'string')) {
      return 'The schema uses `$dynamicRef`, `$recursiveRef` or an inner `$id`, which are not supported. Use `$ref` and `$defs`.';
    }
    cost(next);
    open.push(...schemasInPlace(next), ...schemasInside(next));
  }
  return problem;
}
