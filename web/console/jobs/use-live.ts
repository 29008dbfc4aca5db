// Asks again and again while a job runs, and tells when the service went away and came back.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { now } from '../ui/data/now.ts';
import { toast } from '../ui/states/toasts.tsx';
import { type Loaded, usePolling } from '../ui/states/use-load.ts';

export interface Live<T> extends Loaded<T> {
  /** The service does not answer at the moment; what is shown may be old. */
  isCutOff: boolean;
}

/** While cut off, it asks even if the job had ended. */
const RECONNECT_MS = 2_000;

export function useLive<T>(
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: (data: T | undefined) => number,
  deps: readonly unknown[],
): Live<T> {
  const [pace, setPace] = useState(RECONNECT_MS);
  const loaded = usePolling(load, pace, deps);
  const { data, error } = loaded;
  const isCutOff = data !== undefined && isOutage(error);
  const wanted = isCutOff || data === undefined ? RECONNECT_MS : everyMs(data);
  // What was loaded decides when it is loaded again.
  useEffect(() => setPace(wanted), [wanted]);
  // Times are told relative to the newest data, which is newer than the clock of the page.
  useEffect(() => {
    now.value = Date.now();
  }, [data]);
  const wasCutOff = useRef(false);
  useEffect(() => {
    if (wasCutOff.current && !isCutOff) toast('The service answers again.');
    wasCutOff.current = isCutOff;
  }, [isCutOff]);
  return { ...loaded, isCutOff };
}

/** It may pass by itself: the service is being restarted, or a proxy in front of it says so. */
const isOutage = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 502);
