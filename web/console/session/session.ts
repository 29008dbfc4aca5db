// Who uses the console, and what they may do. Pages show what can be used and leave out the rest.
import { signal } from '@preact/signals';
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { call } from '../api/call.ts';

export type Me = ResponseOf<'me'>['data'];

/** Undefined while it is being loaded, and while nobody is logged in. */
export const me = signal<Me | undefined>(undefined);

/** May manage its team: keys, webhooks, the audit log. */
export const mayManage = (): boolean => me.value?.mayManage ?? false;
/** May manage this server and all its teams. */
export const isOperator = (): boolean => me.value?.isOperator ?? false;

/** Throws ApiError. */
export async function loadMe(): Promise<void> {
  me.value = (await call('me')).data;
}
