// Limits how many requests of `/mcp` are open at a time, since a stream may stay open for minutes.
import { queueFull } from '../../contracts/errors/errors.ts';

const PER_TEAM = 100;
const IN_ALL = 1_000;
const RETRY_AFTER_S = 5;

/** Throws QUEUE_FULL. What it returns is to be called once, at the end. */
export type EnterExchange = (owner: string) => () => void;

export function createOpenExchanges(perTeam = PER_TEAM, inAll = IN_ALL): EnterExchange {
  const open = new Map<string, number>();
  let total = 0;
  return (owner) => {
    const own = open.get(owner) ?? 0;
    if (own >= perTeam || total >= inAll) throw queueFull(RETRY_AFTER_S);
    open.set(owner, own + 1);
    total += 1;
    return () => {
      total -= 1;
      const left = open.get(owner)! - 1;
      if (left === 0) open.delete(owner);
      else open.set(owner, left);
    };
  };
}
