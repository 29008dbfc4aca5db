// Port: the slots of teams that the pages of their jobs share with their other requests.
import type { GateSlot } from '../runtime/gate/gate.ts';

export interface PageSlot extends GateSlot {
  /** A page is being read in it. Until then, it is only kept for the next claim and no load of the team. */
  begin(): void;
}

export interface TeamSlots {
  /** Slots that are free now, at most `wanted`. */
  take(teamId: string, wanted: number): Promise<PageSlot[]>;
  /** Waits for the next slot, in turn with the requests of the team. */
  wait(teamId: string, signal: AbortSignal): Promise<PageSlot>;
}
