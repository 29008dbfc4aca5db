// The operations that the key of the session may use.
import type { KeyGroup } from '../../../../src/contracts/team/policy.ts';
import { mayUse } from '../../session/session.ts';
import { OPERATIONS, type Operation } from '../run/run.ts';

/** Keys are restricted to groups of calls; most operations are one of their own. */
const groupOf = (operation: Operation): KeyGroup => (operation === 'answer' ? 'search' : operation);

export const mayRun = (operation: Operation): boolean => mayUse(groupOf(operation));

export const usableOperations = (): Operation[] => OPERATIONS.filter(mayRun);
