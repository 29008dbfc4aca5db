// Shares something that can be counted so that nobody gets more than they want, and nobody less than others who want as much.

export interface Sharer {
  id: string;
  wanted: number;
}

/** The share of `id`. What cannot be divided goes to some of them, and with the next `turn` to others. */
export function fairShare(limit: number, sharers: readonly Sharer[], id: string, turn: number): number {
  const me = sharers.find((sharer) => sharer.id === id);
  if (!me) return 0;
  const unsated = sharers.toSorted((one, other) => one.wanted - other.wanted);
  let left = Math.max(0, limit);
  // Those who want the least come first: what they leave is for the others.
  while (unsated.length > 0 && unsated[0]!.wanted <= left / unsated.length) left -= unsated.shift()!.wanted;
  const position = unsated
    .map((sharer) => sharer.id)
    .sort()
    .indexOf(id);
  if (position < 0) return me.wanted;
  const isTurn = (position + turn) % unsated.length < left % unsated.length;
  return Math.floor(left / unsated.length) + (isTurn ? 1 : 0);
}
