// The score of a result, for wires that have one. A search has no score of its own to give, so it is computed from the rank.

/** Many programs leave out results below 0.5, which are none of the first twenty. */
const HALF_AT = 20;

/** Counted from 0: 1 for the first result, then less and less. */
export const scoreOfRank = (rank: number): number => Number((HALF_AT / (HALF_AT + rank)).toFixed(4));
