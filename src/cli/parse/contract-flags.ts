// Makes flags from the contract of a call: the JSON schema of its request says the type, the choices and the text of each.
import { z } from 'zod';
import type { KeyedOperation } from '../../contracts/route-types.ts';
import { ROUTES, type Route } from '../../contracts/routes.ts';
import { kebabCase, type ResolvedFlag } from './resolved-flag.ts';

type Schema = z.core.JSONSchema.BaseSchema;

interface Contract {
  call: KeyedOperation;
  lifted: readonly string[];
  without: readonly string[];
}

/** Deeper fields are written as JSON. */
const MAX_DEPTH = 3;
/** Clients name themselves by these; this client does so by a header. */
const NOT_FOR_PEOPLE = ['origin', 'integration'];

export function contractFlags({ call, lifted, without }: Contract): ResolvedFlag[] {
  const { request }: Route = ROUTES[call];
  if (!request) return [];
  const schema = z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' });
  const hidden = new Set([...without, ...NOT_FOR_PEOPLE]);
  const top = fieldsOf(schema, []).filter(({ path }) => !hidden.has(path![0]!) && !lifted.includes(path![0]!));
  const taken = new Set(top.map(({ name }) => name));
  const below = lifted.flatMap((name) =>
    fieldsOf(schema.properties?.[name] as Schema, [name]).map((flag) => {
      const short = flag.name.slice(kebabCase(name).length + 1);
      // A field that the call has as well keeps its full name.
      return taken.has(short) ? { ...flag, isNested: true } : { ...flag, name: short, isNested: flag.path!.length > 2 };
    }),
  );
  return [...top, ...below];
}

function fieldsOf(schema: Schema, path: readonly string[]): ResolvedFlag[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const fieldPath = [...path, name];
    const flag = flagOf(field as Schema, fieldPath);
    const nested = fieldPath.length < MAX_DEPTH ? fieldsOf(field as Schema, fieldPath) : [];
    return [flag, ...nested.map((each) => ({ ...each, isNested: true }))];
  });
}

function flagOf(field: Schema, path: readonly string[]): ResolvedFlag {
  return {
    name: path.map(kebabCase).join('.'),
    path,
    text: textOf(field),
    isSwitch: false,
    ...kindOf(alternatives(field)),
  };
}

type Kind = Pick<ResolvedFlag, 'type' | 'choices' | 'acceptsText' | 'acceptsObjects'> & { isSwitch?: boolean };

function kindOf(options: readonly Schema[]): Kind {
  const types = new Set(options.map(typeOf));
  const only = (...wanted: string[]) => types.size > 0 && [...types].every((type) => wanted.includes(type));
  if (only('boolean')) return { type: 'boolean', isSwitch: true };
  if (only('integer', 'number')) return { type: 'number' };
  if (only('string')) return { type: 'string', ...choicesOf(options) };
  if (only('array')) return listKind(options.flatMap(({ items }) => alternatives(items as Schema)));
  return {
    type: 'json',
    ...(types.has('boolean') && { isSwitch: true }),
    ...(types.has('string') && { acceptsText: true }),
  };
}

function listKind(entries: readonly Schema[]): Kind {
  const types = new Set(entries.map(typeOf));
  const texts = entries.filter((entry) => typeOf(entry) === 'string');
  if (texts.length === 0) return { type: 'json' };
  return { type: 'list', ...choicesOf(texts), ...(types.size > 1 && { acceptsObjects: true }) };
}

function choicesOf(texts: readonly Schema[]): { choices?: readonly string[] } {
  const named = texts.flatMap(({ enum: list, const: one }) => list ?? (one === undefined ? [undefined] : [one]));
  return named.every((name) => typeof name === 'string') ? { choices: named } : {};
}

function alternatives(schema: Schema | undefined): Schema[] {
  if (!schema) return [];
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  return (options?.flatMap(alternatives) ?? [schema]).filter((option) => option.type !== 'null');
}

function typeOf({ type, enum: list, const: one }: Schema): string {
  if (typeof type === 'string') return type;
  const value = one ?? list?.[0];
  return value === undefined ? 'any' : typeof value;
}

/** With the default, if it is short enough to be of use. */
function textOf({ description = '', default: standard }: Schema): string {
  const shown = standard === undefined ? '' : JSON.stringify(standard);
  if (shown === '' || ['""', '[]', '{}', 'false'].includes(shown) || shown.length > 20) return description;
  return `${description}${description === '' ? '' : ' '}[${shown.replaceAll('"', '')}]`;
}
