// The streams of audit events as rows hold them, and how they are handed out.
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { SiemSettings, SiemStream } from '../../siem-store.ts';

export interface SiemRow {
  number: number;
  teamId: string;
  team: string;
  isEnabled: boolean;
  settings: SealedText;
  updatedAt: number;
  lastEvent: number;
  attempts: number;
  lastDeliveredAt: number | null;
  failingSince: number | null;
  lastError: string | null;
}

export const SIEM_BATCH = 500;
/** Events of so many batches are looked at for one that the stream wants; the rest is looked at next time. */
export const MAX_LOOKS = 20;
/** New events are collected this long, unless they fill a batch. */
export const COLLECT_MS = 1_000;
/** A batch is not handed out again for this long. */
export const SENDING_MS = 60_000;
export const UNREADABLE_MS = 3_600_000;
export const UNREADABLE =
  'The settings cannot be read, because the secret of the data folder was replaced. Save them again.';

export function showStream(row: SiemRow, settings: SiemSettings | undefined, backlog: number): SiemStream {
  const { isEnabled, updatedAt, lastDeliveredAt, failingSince, lastError } = row;
  return {
    ...{ isEnabled, settings, updatedAt, backlog },
    ...(lastDeliveredAt !== null && { lastDeliveredAt }),
    ...(failingSince !== null && { failingSince }),
    ...(lastError !== null && { lastError }),
  };
}
