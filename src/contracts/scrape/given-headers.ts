// Headers of a caller as they arrive, such as Authorization and Cookie. Opaque: only net/http/caller-headers.ts reads
// their values, so that no code can send them anywhere without naming the origin that they are for.
import { headers } from '../bounds.ts';

declare const given: unique symbol;

export interface GivenHeaders {
  readonly [given]: true;
}

export const NO_HEADERS = Object.freeze({}) as GivenHeaders;

export const givenHeaders = headers.transform((fields) => fields as unknown as GivenHeaders).default(() => NO_HEADERS);

export const hasHeaders = (fields: GivenHeaders): boolean => countHeaders(fields) > 0;

/** They say which reader a page is for, and nothing about who reads it. */
const HARMLESS = ['user-agent', 'accept-language'];

/** For pages that the caller has not named: only what anybody may get. */
export const harmlessHeaders = (fields: GivenHeaders): GivenHeaders =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => HARMLESS.includes(name.toLowerCase())),
  ) as unknown as GivenHeaders;

export const countHeaders = (fields: GivenHeaders): number => Object.keys(fields).length;
