// Headers of a caller as they arrive, such as Authorization and Cookie. Opaque: only net/http/caller-headers.ts reads
// their values, so that no code can send them anywhere without naming the origin that they are for.
import { headers } from '../bounds.ts';

declare const given: unique symbol;

export interface GivenHeaders {
  readonly [given]: true;
}

export const NO_HEADERS = Object.freeze({}) as GivenHeaders;

export const givenHeaders = headers.transform((fields) => fields as unknown as GivenHeaders).default(() => NO_HEADERS);

export const hasHeaders = (fields: GivenHeaders): boolean => Object.keys(fields).length > 0;
