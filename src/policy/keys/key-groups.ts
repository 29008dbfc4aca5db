// The calls that a key may make, by group.
import type { KeyGroup, KeyLimits } from '../../contracts/policy.ts';
import { restricted } from './refusal.ts';

/** Calls without a group, such as those about the team, are open to every key. Throws KEY_RESTRICTED. */
export function checkGroup({ operations = [] }: KeyLimits, group: KeyGroup | undefined): void {
  if (operations.length === 0 || group === undefined || operations.includes(group)) return;
  throw restricted('operations', operations, 'operation', [group]);
}
