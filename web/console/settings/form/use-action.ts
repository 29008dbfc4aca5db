// Something that a button does: it runs once at a time, and its error stays until the next attempt.
import { useRef, useState } from 'preact/hooks';

export interface Action {
  isBusy: boolean;
  error: unknown;
  run: (work: () => Promise<void>) => Promise<void>;
}

export function useAction(): Action {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: undefined });
  const isRunning = useRef(false);
  return {
    ...state,
    async run(work) {
      if (isRunning.current) return;
      isRunning.current = true;
      setState({ isBusy: true, error: undefined });
      try {
        await work();
        setState({ isBusy: false, error: undefined });
      } catch (error) {
        setState({ isBusy: false, error });
      } finally {
        isRunning.current = false;
      }
    },
  };
}
