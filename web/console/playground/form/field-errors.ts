// What the service says about the fields of a request that it refused, brought to the fields.
import type { ApiError } from '../../api/api-error.ts';

export interface FieldError {
  path: readonly (string | number)[];
  message: string;
}

const MAX_SHOWN = 100;

/** Empty for errors that are not about fields. */
export function fieldErrors(error: Pick<ApiError, 'status' | 'body'> | undefined): FieldError[] {
  const details = (error?.body as { details?: unknown } | undefined)?.details;
  if (error === undefined || error.status < 400 || error.status >= 500 || !Array.isArray(details)) return [];
  return details.slice(0, MAX_SHOWN).filter(isFieldError);
}

const isFieldError = (detail: unknown): detail is FieldError => {
  const { path, message } = (detail ?? {}) as Partial<FieldError>;
  return typeof message === 'string' && Array.isArray(path);
};

/** Errors of one member or entry, with paths that begin there. */
export const errorsAt = (errors: readonly FieldError[], key: string | number): FieldError[] =>
  errors.filter(({ path }) => path[0] === key).map(({ path, message }) => ({ path: path.slice(1), message }));

/** The first error of the value itself; with `isDeep` also of what is inside it. */
export const ownError = (errors: readonly FieldError[], isDeep = false): string | undefined =>
  errors.find(({ path }) => isDeep || path.length === 0)?.message;
