// Searches as somebody types: the answer on screen stays until the next one is there, and what is outdated is aborted.
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Data, Hit } from './names.ts';
import { type Looked, requestOf, writeAddress } from './search-address.ts';

export interface Searched {
  /** What `data` answers; undefined before the first answer. */
  looked: Looked | undefined;
  data: Data | undefined;
  /** The hits of all pages of results that were loaded. */
  hits: readonly Hit[];
  nextOffset: number | undefined;
  error: unknown;
  isLoading: boolean;
}

const NOTHING: Searched = {
  ...{ looked: undefined, data: undefined, hits: [], nextOffset: undefined },
  ...{ error: undefined, isLoading: true },
};

export function useSearch(looked: Looked): Searched & { loadMore(): void; retry(): void } {
  const [state, setState] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController>(undefined);

  const run = async (offset: number, take: (data: Data, before: Searched) => Partial<Searched>) => {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const { data } = await call('searchIndex', { body: { ...requestOf(looked), offset }, signal });
      if (signal.aborted) return;
      setState((before) => ({
        ...before,
        ...{ error: undefined, isLoading: false, nextOffset: data.nextOffset },
        ...take(data, before),
      }));
    } catch (error) {
      if (!signal.aborted) setState((before) => ({ ...before, error, isLoading: false }));
    }
  };

  useEffect(() => {
    void run(0, (data) => ({ looked, data, hits: data.hits }));
    return () => running.current?.abort();
  }, [writeAddress(looked), attempt]);

  return {
    ...state,
    retry: () => setAttempt(attempt + 1),
    loadMore: () => {
      if (state.nextOffset === undefined || state.isLoading) return;
      void run(state.nextOffset, (data, before) => ({ hits: [...before.hits, ...data.hits] }));
    },
  };
}

/** Why a hit has its score: the same search again, only for this one. */
export async function explainHit(looked: Looked, position: number, url: string, signal: AbortSignal) {
  const body = { ...requestOf(looked), offset: position, limit: 1, facets: false, explain: true };
  const { data } = await call('searchIndex', { body, signal });
  const [hit] = data.hits;
  return { order: data.query.order, hit: hit?.url === url ? hit : undefined };
}
