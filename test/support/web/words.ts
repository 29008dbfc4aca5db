// Text from a seed: the same number gives the same words, so generated pages are the same in every run.

export interface Dice {
  /** A whole number from 0 to `below` - 1. */
  roll(below: number): number;
  pick<T>(list: readonly T[]): T;
}

/** Pseudo-random numbers (mulberry32). */
export function createDice(seed: number): Dice {
  let state = (seed * 0x9e3779b9) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const roll = (below: number) => next() % below;
  return { roll, pick: (list) => list[roll(list.length)]! };
}

const VOCABULARY = (
  'harbour river bridge winter garden market letter signal engine copper timber glass season village mountain ' +
  'council budget survey teacher library reader writer painter sailor farmer baker doctor driver builder keeper ' +
  'measure record report answer question number window corner morning evening summer autumn island valley forest ' +
  'quiet early bright narrow gentle steady common public recent local distant simple careful modern ancient open ' +
  'opened closed carried gathered measured described repaired planted painted counted followed reached crossed found ' +
  'slowly often again later together nearly almost always never twice beyond between against without across under ' +
  'because although while after before until since where which that the and with from into over about through'
).split(' ');

export function sentence(dice: Dice): string {
  const words = Array.from({ length: 6 + dice.roll(16) }, () => dice.pick(VOCABULARY));
  if (words.length > 12) words[6] += ',';
  const text = words.join(' ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

export const paragraph = (dice: Dice): string =>
  Array.from({ length: 3 + dice.roll(5) }, () => sentence(dice)).join(' ');

export function headline(dice: Dice): string {
  const words = Array.from({ length: 3 + dice.roll(4) }, () => dice.pick(VOCABULARY)).join(' ');
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
}
