// The tools as clients see them. Their JSON Schemas are made once: an HTTP endpoint lists its tools for every client.
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from './tool.ts';

const listed = new WeakMap<Tool, ListedTool>();

export const listTools = (tools: readonly Tool[]): ListedTool[] =>
  tools.map((tool) => {
    const known = listed.get(tool) ?? describe(tool);
    listed.set(tool, known);
    return known;
  });

function describe({ name, title, description, input, output, annotations }: Tool): ListedTool {
  return {
    ...{ name, title, description },
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: jsonSchema(output, 'output'),
    annotations: { title, ...annotations },
  };
}

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  // Validators of clients that know only one dialect refuse a schema that names another one.
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: dropNoise });
  return { ...json, type: 'object' } as ListedTool['inputSchema'];
}

/** Parts of schemas that say nothing but cost tokens: bounds of safe integers, and rules that hold for every object. */
function dropNoise({ jsonSchema: json }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (isEmpty(json.additionalProperties)) delete json.additionalProperties;
  if (isEmpty(json.properties)) delete json.properties;
  delete json.propertyNames;
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
