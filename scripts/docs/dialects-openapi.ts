// Generates the OpenAPI 3.1 description of the wires of other programs from their tables of routes. It is a file of its own, so
// that clients that are generated from ours do not change.
import { DIALECT_NAMES, DIALECTS } from '../../src/contracts/dialects/dialect-names.ts';
import type { DialectRoute } from '../../src/dialects/dialect.ts';
import { LOAD_DIALECT } from '../../src/dialects/dialects.ts';
import { type Json, schemaOf } from './json-schema.ts';

export async function buildDialectsOpenApi(): Promise<Json> {
  const paths: Record<string, Json> = {};
  for (const name of DIALECT_NAMES) {
    const { prefix, label } = DIALECTS[name];
    const { routes } = await LOAD_DIALECT[name]();
    for (const route of routes)
      for (const path of route.paths.map((each) => `${prefix}${each}`.replaceAll(/:(\w+)/g, '{$1}')))
        for (const method of route.methods)
          paths[path] = { ...paths[path], [method.toLowerCase()]: operation(route, { label, path, method }) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Trawl as other services', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: 'http://127.0.0.1:3002' }],
    security: [{ key: [] }],
    paths,
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key: fc-...' } } },
  };
}

interface Place {
  label: string;
  path: string;
  method: string;
}

function operation({ summary, call, takes, returns }: DialectRoute, { label, path, method }: Place): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));
  const isQuery = method === 'GET' && takes !== undefined && takes !== 'file';
  const parameters = [...inPath, ...(isQuery ? queryOf(schemaOf(takes, 'input')) : [])];
  return {
    operationId: `${method} ${path}`.replaceAll(/\W+/g, '_').toLowerCase(),
    tags: [label],
    summary,
    ...(call === undefined && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(takes !== undefined && !isQuery && { requestBody: { required: true, content: contentOf(takes) } }),
    responses: { 200: { description: returns }, default: { description: 'An error in the shape of this wire' } },
  };
}

function contentOf(takes: NonNullable<DialectRoute['takes']>): Json {
  if (takes === 'file') return { '*/*': { schema: { type: 'string', format: 'binary' } } };
  return { 'application/json': { schema: schemaOf(takes, 'input') } };
}

const queryOf = ({ properties = {}, required = [] }: Json): Json[] =>
  Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    ...{ name, in: 'query', required: (required as string[]).includes(name), schema },
    ...(description !== undefined && { description }),
  }));
