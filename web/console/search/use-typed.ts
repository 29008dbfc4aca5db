// The text in the search box and the address: what is typed gets into the address soon, and what the address says (after
// "back", or a click on a filter) gets into the box.

import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Looked, readAddress, writeAddress } from './search-address.ts';

const SOON_MS = 120;
/** After a pause, the next change is a new step for the "back" button. */
const PAUSE_MS = 2_000;

export interface TypedSearch {
  /** The text in the box. */
  text: string;
  /** What the address asks for. */
  looked: Looked;
  type(text: string): void;
  /** Looks for what is typed at once. */
  flush(): void;
  /** Goes to another search, as a step of its own. */
  go(looked: Looked): void;
}

export function useTyped(): TypedSearch {
  const { url, route } = useLocation();
  const looked = readAddress(url);
  const [text, setText] = useState(looked.query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const written = useRef(looked.query);
  const lastChange = useRef(0);

  useEffect(() => {
    if (looked.query.trim() === written.current.trim()) return;
    clearTimeout(timer.current);
    written.current = looked.query;
    setText(looked.query);
  }, [url]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const write = (query: string) => {
    clearTimeout(timer.current);
    if (query === written.current) return;
    const isStep = performance.now() - lastChange.current > PAUSE_MS;
    lastChange.current = performance.now();
    written.current = query;
    route(writeAddress({ ...looked, query }), !isStep);
  };
  return {
    ...{ text, looked },
    type(typed) {
      setText(typed);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => write(typed), SOON_MS);
    },
    flush: () => write(text),
    go(next) {
      clearTimeout(timer.current);
      written.current = next.query;
      lastChange.current = 0;
      setText(next.query);
      route(writeAddress(next));
    },
  };
}
