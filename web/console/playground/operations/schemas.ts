// The fields of each operation. The schema of a scrape is part of the first view; the others are loaded when they are used.
import scrapeSchema from 'contracts:schema/scrape';
import type { Field } from '../form/field.ts';
import { fieldsOf } from '../form/fields.ts';
import type { JsonSchema } from '../form/json-schema.ts';
import type { Operation } from '../run/run.ts';

type Loaded = Promise<{ default: JsonSchema }>;

const SCHEMAS: Readonly<Record<Exclude<Operation, 'scrape'>, () => Loaded>> = {
  search: () => import('contracts:schema/search'),
  answer: () => import('contracts:schema/answer'),
  crawl: () => import('contracts:schema/crawl'),
  map: () => import('contracts:schema/map'),
  parse: () => import('contracts:schema/parse'),
  extract: () => import('contracts:schema/extract'),
  agent: () => import('contracts:schema/startAgent'),
  browser: () => import('contracts:schema/createBrowser'),
};

const made = new Map<Operation, readonly Field[]>();

/** At once if they are here; otherwise they are loaded. */
export function knownFields(operation: Operation): readonly Field[] | undefined {
  if (operation === 'scrape' && !made.has('scrape')) made.set('scrape', fieldsOf(scrapeSchema));
  return made.get(operation);
}

export async function loadFields(operation: Operation): Promise<readonly Field[]> {
  const known = knownFields(operation);
  if (known || operation === 'scrape') return known!;
  const fields = fieldsOf((await SCHEMAS[operation]()).default);
  made.set(operation, fields);
  return fields;
}
