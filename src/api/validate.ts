// A request body against its contract: null counts as absent, and every problem is told with its place.
import type { z } from 'zod';
import { type ErrorDetail, ServiceError } from '../contracts/errors.ts';

export function validate<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(dropNulls(body ?? {}));
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap((issue) => flatten(issue, []));
  throw new ServiceError('BAD_REQUEST', { message: headline(parsed.error.issues, details), details });
}

// Inside a JSON Schema null is a value like any other.
const KEPT_AS_IS = new Set(['schema']);

// No contract nests deeper than a handful of levels; a body that does is an attack on whoever walks it.
const MAX_DEPTH = 64;

function dropNulls(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) throw new ServiceError('BAD_REQUEST', { message: 'The body is nested too deeply.' });
  if (Array.isArray(value)) return value.map((item) => dropNulls(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, KEPT_AS_IS.has(name) ? field : dropNulls(field, depth + 1)]),
  );
}

/** A rule in our own words is the best headline; the library's words stay in the details. */
function headline(issues: z.core.$ZodIssue[], details: ErrorDetail[]): string {
  const own = issues.find((issue) => issue.code === 'custom');
  if (own) return own.message;
  const [first] = details;
  return first ? `Bad Request: ${[first.path.join('.'), first.message].filter(Boolean).join(': ')}` : 'Bad Request';
}

/** A union fails once a branch; the branch that came furthest into the value is the one the caller meant. */
function flatten(issue: z.core.$ZodIssue, base: PropertyKey[]): ErrorDetail[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'invalid_key') return issue.issues.flatMap((inner) => flatten(inner, path));
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
    return [{ code: issue.code ?? 'invalid', path: path.map(readable), message: issue.message }];
  }
  const meant = issue.errors.toSorted((a, b) => reach(b) - reach(a))[0]!;
  return meant.flatMap((inner) => flatten(inner, path));
}

const reach = (branch: z.core.$ZodIssue[]): number =>
  Math.max(
    ...branch.map((issue) => (issue.code === 'invalid_type' && issue.path.length === 0 ? -1 : issue.path.length)),
  );

const readable = (key: PropertyKey): string | number => (typeof key === 'number' ? key : String(key));
