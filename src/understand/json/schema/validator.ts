// Validates values with ajv. Only used in page threads: compiling a schema generates code, and both compiling and
// validating can take long for schemas that are made for it.
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { lazy } from '../../../util/lazy.ts';
import { isSchema, type JsonSchema, schemasInPlace, schemasInside } from './subschemas.ts';

export interface SchemaProblem {
  /** Where in the value: `price`, `items[3].name`; empty for the whole value. */
  path: string;
  /** The words of the validator: `must be number`. */
  words: string;
  isMissing: boolean;
}

export type Validate = (value: unknown) => SchemaProblem[];

const MAX_PROBLEMS = 50;

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  logger: false,
  // Every object has a `constructor`, which says nothing about the value.
  ownProperties: true,
  code: { regExp: Object.assign(linearExpression, { code: '' }) },
};

const withFormats = (ajv: Ajv): Ajv => addFormats.default(ajv);
const draft07 = lazy(() => withFormats(new Ajv(OPTIONS)));
const draft2020 = lazy(() => withFormats(new Ajv2020(OPTIONS)));

/** Throws an Error with the validator's words if the schema is not valid. */
export function compileValidator(schema: JsonSchema): Validate {
  const { $schema, ...rest } = schema;
  // Lists of `items` only exist in drafts before 2020, everything else that callers write is the same in both.
  const ajv = usesTuples(schema) ? draft07() : draft2020();
  const validate = compileOnce(ajv, rest);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(asProblem));
}

function compileOnce(ajv: Ajv, schema: JsonSchema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    ajv.removeSchema(schema);
  }
}

export const problemText = ({ path, words }: SchemaProblem): string => (path === '' ? words : `\`${path}\` ${words}`);

function asProblem({ instancePath, message, keyword, params }: ErrorObject): SchemaProblem {
  const isMissing = keyword === 'required' || keyword === 'dependentRequired';
  const at = instancePath.split('/').slice(1).map(unescapePointer);
  const path = isMissing ? [...at, String(params.missingProperty)] : at;
  const allowed = keyword === 'enum' ? `: ${JSON.stringify(params.allowedValues).slice(0, 200)}` : '';
  const extra = keyword === 'additionalProperties' ? `: ${String(params.additionalProperty).slice(0, 100)}` : '';
  return {
    path: path.reduce(joinPath, ''),
    words: isMissing ? 'is missing' : `${message ?? 'is not valid'}${allowed}${extra}`,
    isMissing,
  };
}

/** `items` and `3` and `name` make `items[3].name`. */
export const joinPath = (path: string, part: string | number): string => {
  if (/^\d+$/.test(String(part))) return `${path}[${part}]`;
  return path === '' ? String(part) : `${path}.${part}`;
};

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Takes linear time for any pattern and text; look-arounds and back-references are refused. */
function linearExpression(pattern: string): { test(text: string): boolean; toString(): string } {
  const expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
  // ajv takes expressions with the same text for the same one.
  return { test: (text) => expression.test(text), toString: () => pattern };
}

function usesTuples(schema: JsonSchema): boolean {
  const open: JsonSchema[] = [schema];
  for (let next = open.pop(); next; next = open.pop()) {
    if (Array.isArray(next.items)) return true;
    open.push(...[...schemasInPlace(next), ...schemasInside(next)].filter(isSchema));
  }
  return false;
}
