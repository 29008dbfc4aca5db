// Random choices that depend on a seed only, so that every run fills the templates alike.

export interface Random {
  /** 0 up to, but not including, `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
  /** Each `#` becomes a digit, each `%` one from 2 to 9. */
  digits(form: string): string;
  text(length: number, alphabet: string): string;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: (values) => values[below(values.length)]!,
    digits: (form) => form.replace(/[#%]/g, (sign) => String(sign === '#' ? below(10) : 2 + below(8))),
    text: (length, alphabet) => Array.from({ length }, () => alphabet[below(alphabet.length)]).join(''),
  };
}
