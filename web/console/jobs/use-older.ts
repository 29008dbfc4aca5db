// A list whose newest entries are followed, and whose older ones are added on request.
import { useEffect, useState } from 'preact/hooks';
import { problemText } from '../api/api-error.ts';
import { toast } from '../ui/states/toasts.tsx';

export interface ListPart<Row> {
  data: readonly Row[];
  cursor: string | null;
}

/** More rows than anybody reads; the page stays quick. */
const MOST_ROWS = 400;

export function useOlder<Row>(
  newest: ListPart<Row> | undefined,
  keyOf: (row: Row) => string,
  load: (cursor: string) => Promise<ListPart<Row>>,
  deps: readonly unknown[],
) {
  const [older, setOlder] = useState<ListPart<Row> | undefined>(undefined);
  const [isLoading, setLoading] = useState(false);
  useEffect(() => setOlder(undefined), deps);
  const rows = joinRows(newest?.data ?? [], older?.data ?? [], keyOf);
  const cursor = older ? older.cursor : (newest?.cursor ?? null);
  const more = async () => {
    if (cursor === null) return;
    setLoading(true);
    try {
      const part = await load(cursor);
      setOlder((before) => ({
        data: joinRows(before?.data ?? newest?.data ?? [], part.data, keyOf),
        cursor: part.cursor,
      }));
    } catch (error) {
      toast(problemText(error), 'bad');
    } finally {
      setLoading(false);
    }
  };
  const isFull = rows.length >= MOST_ROWS;
  return { rows, hasMore: cursor !== null && !isFull, isCut: cursor !== null && isFull, isLoading, more };
}

/** Each row once: the newer list has the newer state of it. */
function joinRows<Row>(newer: readonly Row[], older: readonly Row[], keyOf: (row: Row) => string): Row[] {
  const seen = new Set(newer.map(keyOf));
  return [...newer, ...older.filter((row) => !seen.has(keyOf(row)))].slice(0, MOST_ROWS);
}
