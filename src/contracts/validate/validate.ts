// Checks a request body against its contract. `null` counts as absent unless the contract gives it a meaning, and every
// problem is reported with its path.
import type { z } from 'zod';
import { type ErrorCode, type ErrorDetail, ServiceError } from '../errors/errors.ts';
import { describeIssue, fieldName } from './validation-text.ts';

export type Checked<T> = { data: T } | { problem: string; details: ErrorDetail[] };

/** BAD_REQUEST says the first problem in its text; any other error keeps the text of the table and lists the problems. */
export function validate<T extends z.ZodType>(
  schema: T,
  body: unknown,
  refusal: ErrorCode = 'BAD_REQUEST',
): z.output<T> {
  const checked = check(schema, body, 'Bad Request: ');
  if ('data' in checked) return checked.data;
  const { problem, details } = checked;
  throw new ServiceError(refusal, { message: refusal === 'BAD_REQUEST' ? problem : undefined, details });
}

/** The value by its schema, or the most important problem in one sentence, which begins with `prefix`, and all of them. */
export function check<T extends z.ZodType>(schema: T, body: unknown, prefix = ''): Checked<z.output<T>> {
  const { value, size } = withoutNulls(body ?? {}, nullableFields(schema));
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = {
    // Messages written in a contract win over this one: an empty message marks what the library would have said itself.
    error: () => '',
    reportInput: true,
    // Making a sentence for each of 100,000 wrong URLs would block the service for seconds.
    abortEarly: size > MANY_VALUES,
  };
  const parsed = schema.safeParse(value, context);
  if (parsed.success) return unprotected(schema, value) ?? { data: parsed.data };
  const details = parsed.error.issues.slice(0, MAX_DETAILS).flatMap((issue) => flatten(issue, []));
  return { problem: headline(parsed.error.issues, details, prefix), details };
}

/** The problem of a body that asks for a protection which the call does not have. */
function unprotected(schema: z.core.$ZodType, value: unknown): { problem: string; details: ErrorDetail[] } | undefined {
  const known = fieldsOf(schema);
  const name = known && typeof value === 'object' && value !== null && unknownProtection(value, known);
  if (!name) return undefined;
  const hint = known.has('scrapeOptions') ? ' Set it in `scrapeOptions`.' : ' Leave it out, or use another call.';
  const message = `\`${name}\` is not an option of this call, which would not protect you.${hint}`;
  return { problem: message, details: [{ code: 'unrecognized_keys', path: [name], message }] };
}

/** Undefined for schemas that take fields of any name, or no fields. */
function fieldsOf(schema: z.core.$ZodType): Set<string> | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return fieldsOf(def.in);
  return def.type === 'object' && !def.catchall ? new Set(Object.keys(def.shape)) : undefined;
}

/** The names that a body has. `null` and an empty text count as absent. */
export const givenNames = (body: unknown): string[] =>
  typeof body === 'object' && body !== null
    ? Object.entries(body).flatMap(([name, value]) => (value === null || value === '' ? [] : [name]))
    : [];

// Inside a JSON Schema, null is a value like any other, and as a rate it means unlimited.
const KEPT_AS_IS = new Set(['schema', 'rates']);

// Contracts nest only a few levels. Bodies that go deeper would exhaust the stack.
const MAX_DEPTH = 64;

/** A body with more values than this is reported with its first problem only. */
const MANY_VALUES = 2_000;
const MAX_DETAILS = 100;

/** Fields of the body itself for which null is a value of its own: in a PATCH it clears what is stored. */
function nullableFields(schema: z.core.$ZodType): Set<string> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return nullableFields(def.in);
  if (def.type !== 'object') return new Set();
  return new Set(Object.keys(def.shape).filter((name) => isNullable(def.shape[name]!)));
}

function isNullable(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'nullable' || (def.type === 'optional' && isNullable(def.innerType));
}

/** A copy without nulls, except those of `nullable` fields, and the number of its values. */
function withoutNulls(body: unknown, nullable: ReadonlySet<string>): { value: unknown; size: number } {
  let size = 0;
  const copy = (value: unknown, depth: number): unknown => {
    size += 1;
    if (value === null || typeof value !== 'object') return value;
    if (depth > MAX_DEPTH) throw new ServiceError('BAD_REQUEST', { message: 'The request body is nested too deeply.' });
    if (Array.isArray(value)) {
      size += value.length;
      return value.map((item) => (typeof item === 'object' ? copy(item, depth + 1) : item));
    }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, field]) => field !== null || (depth === 0 && nullable.has(name)))
        .map(([name, field]) => [name, KEPT_AS_IS.has(name) ? field : copy(field, depth + 1)]),
    );
  };
  return { value: copy(body, 0), size };
}

/** A rule that spans several fields speaks for itself; any other message has to name its field. */
function headline(issues: z.core.$ZodIssue[], details: ErrorDetail[], prefix: string): string {
  const rule = issues.find((issue) => issue.code === 'custom' && issue.message !== '');
  if (rule) return rule.message;
  const { path, message } = details[0]!;
  const field = fieldName(path);
  return `${prefix}${message.includes(field) ? message : `${field}: ${message}`}`;
}

/** A union fails once per branch. The branch that got furthest into the value is the one the caller meant. */
function flatten(issue: z.core.$ZodIssue, base: PropertyKey[]): ErrorDetail[] {
  const path = [...base, ...issue.path];
  if ((issue.code === 'invalid_key' || issue.code === 'invalid_element') && issue.issues.length > 0) {
    return issue.issues.flatMap((inner) => flatten(inner, path));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const meant = issue.errors.toSorted((a, b) => reach(b) - reach(a))[0]!;
    return meant.flatMap((inner) => flatten(inner, path));
  }
  const readablePath = path.map((key) => (typeof key === 'number' ? key : String(key)));
  return [{ code: issue.code, path: readablePath, message: issue.message || describeIssue(issue, readablePath) }];
}

const reach = (branch: z.core.$ZodIssue[]): number =>
  Math.max(
    ...branch.map((issue) => (issue.code === 'invalid_type' && issue.path.length === 0 ? -1 : issue.path.length)),
  );

/**
 * Options that protect the caller. Options that a call does not know are ignored, as clients expect, but who asks for
 * protection and gets an answer relies on it.
 */
const WITHOUT_PROTECTION: Readonly<Record<string, unknown>> = {
  skipTlsVerification: true,
  lockdown: false,
  redactPII: false,
  safeMode: false,
  zeroDataRetention: false,
  checkPromptInjection: false,
  threatProtection: undefined,
};

/** The first such option among the fields of a body that are not in `known`, unless it asks for nothing. */
const unknownProtection = (body: object, known: ReadonlySet<string>): string | undefined =>
  Object.keys(WITHOUT_PROTECTION).find((name) => {
    const given = (body as Record<string, unknown>)[name];
    return given !== undefined && given !== WITHOUT_PROTECTION[name] && !known.has(name);
  });
