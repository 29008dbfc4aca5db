// A value that fits a JSON schema, as a model would give one.

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minItems?: number;
}

export function fitting(given: unknown): unknown {
  const schema = (given ?? {}) as Schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return fitting(choice);
  const type = [schema.type].flat()[0] ?? (schema.properties ? 'object' : 'string');
  if (type === 'object') {
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, fitting(value)]));
  }
  if (type === 'array') return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => fitting(schema.items));
  if (type === 'integer' || type === 'number') return Math.min(schema.maximum ?? 1, Math.max(schema.minimum ?? 1, 1));
  if (type === 'boolean') return true;
  return type === 'null' ? null : 'Harbour kettle';
}
