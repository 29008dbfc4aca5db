// What is wrong, in one text, for wires whose errors have no place for details.
import type { ServiceError } from '../../contracts/errors/errors.ts';

/** A text of the error table that names no field is followed by what is wrong with the first one. */
export function errorText({ message, details }: ServiceError): string {
  const first = Array.isArray(details) ? details[0]?.message : undefined;
  return first === undefined || message.includes(first) ? message : `${message}: ${first}`;
}
