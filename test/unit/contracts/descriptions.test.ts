import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { ROUTES, type Route } from '../../../src/contracts/routes.ts';

interface Schema {
  description?: string;
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** Paths of fields without a description. The constant that tells variants apart describes itself. */
function undescribed(schema: Schema, path: string): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(field.description === undefined && field.const === undefined ? [`${path}.${name}`] : []),
      ...undescribed(field, `${path}.${name}`),
    ]),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((variant) => undescribed(variant, path)),
    ...(items ? undescribed(items, `${path}[]`) : []),
  ];
}

// The OpenAPI file and the help of the command line show them.
test('every field of a request says what it is for', () => {
  const found = Object.entries<Route>(ROUTES).flatMap(([id, { request, query }]) =>
    [request, query].flatMap((schema) =>
      schema ? undescribed(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, id) : [],
    ),
  );
  assert.deepEqual([...new Set(found)], []);
});
