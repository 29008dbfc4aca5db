// Checks a request body against its contract. `null` counts as absent, and every problem is reported with its path.
import type { z } from 'zod';
import { type ErrorCode, type ErrorDetail, ServiceError } from '../contracts/errors.ts';
import { describeIssue, fieldName } from './validation-text.ts';

/** BAD_REQUEST says the first problem in its text; any other error keeps the text of the table and lists the problems. */
export function validate<T extends z.ZodType>(
  schema: T,
  body: unknown,
  refusal: ErrorCode = 'BAD_REQUEST',
): z.output<T> {
  // Messages written in a contract win over this one: an empty message marks what the library would have said itself.
  const parsed = schema.safeParse(dropNulls(body ?? {}), { error: () => '', reportInput: true });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap((issue) => flatten(issue, []));
  const message = refusal === 'BAD_REQUEST' ? headline(parsed.error.issues, details) : undefined;
  throw new ServiceError(refusal, { message, details });
}

// Inside a JSON Schema, null is a value like any other.
const KEPT_AS_IS = new Set(['schema']);

// Contracts nest only a few levels. Bodies that go deeper would exhaust the stack.
const MAX_DEPTH = 64;

function dropNulls(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) throw new ServiceError('BAD_REQUEST', { message: 'The request body is nested too deeply.' });
  if (Array.isArray(value)) return value.map((item) => dropNulls(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, KEPT_AS_IS.has(name) ? field : dropNulls(field, depth + 1)]),
  );
}

/** A rule that spans several fields speaks for itself; any other message has to name its field. */
function headline(issues: z.core.$ZodIssue[], details: ErrorDetail[]): string {
  const rule = issues.find((issue) => issue.code === 'custom' && issue.message !== '');
  if (rule) return rule.message;
  const { path, message } = details[0]!;
  const field = fieldName(path);
  return `Bad Request: ${message.includes(field) ? message : `${field}: ${message}`}`;
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
