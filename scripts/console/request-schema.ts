// The JSON schema of a request body, as a form needs it: what a client may send, with the texts of the contract. It is part
// of what a browser loads, so it says everything once.
import { z } from 'zod';
import type { JsonSchema } from '../../web/console/playground/form/json-schema.ts';

/** Clients name themselves by the first two, the console by a header; and it shows whole answers. */
const NOT_FOR_PEOPLE = ['origin', 'integration', 'stream'];
const DEFINITION = '#/$defs/';
/** Shorter schemas are cheaper to repeat than to refer to. */
const WORTH_SHARING = 120;

export function requestSchema(request: z.ZodType): JsonSchema {
  const whole = z.toJSONSchema(request, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
  const properties = Object.entries(whole.properties ?? {}).filter(([name]) => !NOT_FOR_PEOPLE.includes(name));
  return shareRepeated(withoutNoise({ ...whole, properties: Object.fromEntries(properties) }) as JsonSchema);
}

/** Without bounds that every safe integer keeps, and without what a form does not read. */
function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !isNoise(key, member))
      .map(([key, member]) => [key, withoutNoise(member)]),
  );
}

const isNoise = (key: string, value: unknown): boolean =>
  key === '$schema' ||
  key === 'propertyNames' ||
  (key === 'additionalProperties' && value === false) ||
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER);

/** Objects and lists that occur more than once become definitions. */
function shareRepeated(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  visit(schema, (text) => counts.set(text, (counts.get(text) ?? 0) + 1));
  const names = new Map<string, string>();
  const definitions: Record<string, JsonSchema> = {};
  const shared = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shared);
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    const isShared = isSchema(value) && (counts.get(text) ?? 0) > 1;
    const known = names.get(text);
    if (isShared && known !== undefined) return { $ref: DEFINITION + known };
    const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shared(member)]));
    if (!isShared) return copy;
    const name = `${names.size}`;
    names.set(text, name);
    definitions[name] = copy;
    return { $ref: DEFINITION + name };
  };
  return { ...(shared(schema) as JsonSchema), $defs: definitions };
}

function visit(value: unknown, see: (text: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (isSchema(value)) see(JSON.stringify(value));
  for (const member of Object.values(value)) visit(member, see);
}

/** An object of properties may have one that is called `type`. */
const isSchema = (value: { type?: unknown; anyOf?: unknown; oneOf?: unknown }): boolean =>
  (typeof value.type === 'string' || Array.isArray(value.anyOf) || Array.isArray(value.oneOf)) &&
  JSON.stringify(value).length > WORTH_SHARING;
