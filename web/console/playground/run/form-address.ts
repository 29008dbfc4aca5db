// The address of a form: the operation and its main field, so that a reload or a link shows the same form.

import { isFields } from '../../ui/data/untrusted.ts';
import { OPERATION_INFO } from '../operations/operations.ts';
import type { Body } from './recent.ts';
import { OPERATIONS, type Operation } from './run.ts';

/** Longer texts would make addresses that not every program takes. */
const MAX_CHARS = 2_000;
const PATH = '/console/playground';

export const isOperation = (name: string | undefined): name is Operation =>
  (OPERATIONS as readonly (string | undefined)[]).includes(name);

export function formAddress(operation: Operation, body: Body): string {
  const { main } = OPERATION_INFO[operation];
  const values = main === undefined ? [] : [body[main]].flat().filter((value) => typeof value === 'string');
  const query = new URLSearchParams(
    values.flatMap((value): [string, string][] => (value === '' ? [] : [[main!, value as string]])),
  );
  const text = `${query}`;
  return text === '' || text.length > MAX_CHARS ? `${PATH}/${operation}` : `${PATH}/${operation}?${text}`;
}

/** The part of the body that an address carries. It is never sent by itself. */
export function bodyOfAddress(operation: Operation, search: string): Body {
  const { main } = OPERATION_INFO[operation];
  const query = new URLSearchParams(search);
  const request = wholeRequest(query.get('request'));
  const values = main === undefined ? [] : query.getAll(main).filter((value) => value !== '');
  if (values.length === 0) return request;
  return { ...request, [main!]: main === 'urls' ? values : values[0] };
}

/** A whole request as JSON: the page of a job opens the form with what the job was started with. */
function wholeRequest(json: string | null): Body {
  try {
    const request: unknown = JSON.parse(json ?? '');
    return isFields(request) ? { ...request } : {};
  } catch {
    return {};
  }
}
