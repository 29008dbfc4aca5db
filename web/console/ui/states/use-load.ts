// Loads what a page shows: once, again on request, or regularly while somebody looks.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
}

type Load<T> = (signal: AbortSignal) => Promise<T>;

/** Loads again when `deps` change; an answer that arrives after that is dropped. */
export function useLoad<T>(load: Load<T>, deps: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ data: undefined, error: undefined, isLoading: true });
  const running = useRef<AbortController>(undefined);
  const reload = useCallback(async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const data = await load(controller.signal);
      if (!controller.signal.aborted) setState({ data, error: undefined, isLoading: false });
    } catch (error) {
      if (!controller.signal.aborted) setState((before) => ({ ...before, error, isLoading: false }));
    }
  }, deps);
  useEffect(() => {
    setState({ data: undefined, error: undefined, isLoading: true });
    void reload();
    return () => running.current?.abort();
  }, [reload]);
  return { ...state, reload };
}

/** Like useLoad, and again `everyMs` after each answer. Nothing is asked while the tab is hidden, or if `everyMs` is 0. */
export function usePolling<T>(load: Load<T>, everyMs: number, deps: readonly unknown[]): Loaded<T> {
  const loaded = useLoad(load, deps);
  const { isLoading, reload } = loaded;
  useEffect(() => {
    if (isLoading || everyMs === 0) return;
    const again = () => {
      if (!document.hidden) reload();
    };
    const timer = setTimeout(again, everyMs);
    document.addEventListener('visibilitychange', again);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [isLoading, everyMs, reload]);
  return loaded;
}
