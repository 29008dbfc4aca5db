// Port: the slots of teams that the pages of their jobs share with their other requests.
import type { GateSlot } from '../runtime/gate/gate.ts';

export interface TeamSlots {
  /** Slots that are free now, at most `wanted`. */
  take(teamId: string, wanted: number): Promise<GateSlot[]>;
  /** Waits for the next slot, in turn with the requests of the team. */
  wait(teamId: string, signal: AbortSignal): Promise<GateSlot>;
}
