// A long list that is looked at part by part, forwards and back, so that no more than one part is ever drawn.
import { useEffect, useState } from 'preact/hooks';
import { type Loaded, useLoad } from '../states/use-load.ts';

export interface Part<Row> {
  data: Row[];
  cursor: string | null;
}

export interface Parts<Row> extends Loaded<Part<Row>> {
  /** Counted from 1. */
  number: number;
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
}

type LoadPart<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<Part<Row>>;

/** A filter may look at many rows and find none; then the next rows are asked for at once, but not without end. */
const MOST_ROUNDS = 25;

export function useParts<Row>(load: LoadPart<Row>, deps: readonly unknown[]): Parts<Row> {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  useEffect(() => setCursors([]), deps);
  const cursor = cursors.at(-1);
  const loaded = useLoad(
    async (signal) => {
      let part = await load(cursor, signal);
      for (let round = 1; part.data.length === 0 && part.cursor !== null && round < MOST_ROUNDS; round++) {
        part = await load(part.cursor, signal);
      }
      return part;
    },
    [...deps, cursor],
  );
  const following = loaded.data?.cursor;
  return {
    ...loaded,
    number: cursors.length + 1,
    next: following ? () => setCursors([...cursors, following]) : undefined,
    previous: cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined,
  };
}
