// A call as an operation gets it, with only the parts that a test is about.
import type { KeyedOperation } from '../../src/contracts/route-types.ts';
import type { Call } from '../../src/operations/call.ts';

export const callOf = <Id extends KeyedOperation>(
  caller: Call['caller'],
  parts: Partial<Omit<Call<Id>, 'caller'>> = {},
): Call<Id> =>
  ({ caller, given: [], params: {}, query: {}, body: undefined, baseUrl: 'http://trawl.test', ...parts }) as Call<Id>;
