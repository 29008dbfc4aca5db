// What the server says about single fields of a form, by their paths.
import { ApiError } from '../../api/api-error.ts';
import { withoutTicks } from './contract-help.ts';

export type FieldErrors = Readonly<Record<string, string>>;

interface Detail {
  path?: unknown;
  message?: unknown;
}

export function fieldErrors(error: unknown): FieldErrors {
  const details = error instanceof ApiError ? (error.body as { details?: unknown } | null)?.details : undefined;
  if (!Array.isArray(details)) return {};
  const found: Record<string, string> = {};
  for (const { path, message } of details as Detail[]) {
    if (!Array.isArray(path) || path.length === 0 || typeof message !== 'string') continue;
    found[path.join('.')] ??= withoutTicks(message);
  }
  return found;
}

/** The error of a field, or of one of its entries, which is named. */
export function errorAt(errors: FieldErrors, path: string, entries: readonly string[] = []): string | undefined {
  if (errors[path] !== undefined) return errors[path];
  const inside = Object.keys(errors).find((each) => each.startsWith(`${path}.`));
  if (inside === undefined) return undefined;
  const entry = entries[Number(inside.slice(path.length + 1).split('.')[0])];
  return entry === undefined ? errors[inside] : `${entry}: ${errors[inside]}`;
}

/** Whether every error has a field of the form to stand at. */
export const areAllShown = (errors: FieldErrors, paths: readonly string[]): boolean => {
  const all = Object.keys(errors);
  return all.length > 0 && all.every((error) => paths.some((path) => error === path || error.startsWith(`${path}.`)));
};
