// The names under which the contracts export their schemas, for the components of the OpenAPI description.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { schemaOf, shapeKey } from './json-schema.ts';

const CONTRACTS = join(import.meta.dirname, '../../src/contracts');

/** By the key of what a schema looks like in requests or in answers; the shortest name first. */
export type ContractNames = Map<string, string[]>;

export async function contractNames(): Promise<ContractNames> {
  const names: ContractNames = new Map();
  for (const file of globSync('**/*.ts', { cwd: CONTRACTS }).sort()) {
    const module: Record<string, unknown> = await import(pathToFileURL(join(CONTRACTS, file)).href);
    for (const [name, value] of Object.entries(module)) {
      if (!(value instanceof z.ZodType)) continue;
      for (const io of ['input', 'output'] as const) {
        const key = shapeKey(schemaOf(value, io));
        names.set(key, [...new Set([...(names.get(key) ?? []), name])]);
      }
    }
  }
  for (const each of names.values()) each.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return names;
}
