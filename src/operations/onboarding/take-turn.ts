// Calls that anybody can make are limited by address.
import { ServiceError } from '../../contracts/errors.ts';
import type { AddressPace } from '../../util/address-pace.ts';

/** Throws rate_limited. */
export function takeTurn(pace: AddressPace, address: string): void {
  const waitMs = pace.count(address);
  if (waitMs > 0) throw new ServiceError('rate_limited', { retryAfter: Math.ceil(waitMs / 1000) });
}
