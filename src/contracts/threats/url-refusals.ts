// Errors that say that a URL may not be fetched for its caller: by the team's threat policy, `safeMode`, or the domains of
// the key. No other way to the page would end differently.
import { type ErrorCode, ServiceError } from '../errors/errors.ts';

const CODES: ReadonlySet<ErrorCode> = new Set(['unsafe_domain_blocked', 'SAFE_MODE_BLOCKED', 'KEY_RESTRICTED']);

export type UrlRefusal = ServiceError & { code: 'unsafe_domain_blocked' | 'SAFE_MODE_BLOCKED' | 'KEY_RESTRICTED' };

export const isUrlRefusal = (error: unknown): error is UrlRefusal =>
  error instanceof ServiceError && CODES.has(error.code);
