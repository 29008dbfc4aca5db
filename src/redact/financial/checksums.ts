// Check digits of cards, accounts and identity numbers.

const ZERO = 48;
const digitAt = (digits: string, at: number): number => digits.charCodeAt(at) - ZERO;

/** Luhn: cards, Canadian, Swedish, South African and Greek numbers. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, isDoubled = false; at >= 0; at--, isDoubled = !isDoubled) {
    const digit = digitAt(digits, at) * (isDoubled ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Sum of the digits multiplied by their weights; further digits count nothing. */
export const weightedSum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * digitAt(digits, at), 0);

/** Remainder of a long number, digit by digit. */
export function remainder(digits: string, divisor: number): number {
  let rest = 0;
  for (let at = 0; at < digits.length; at++) rest = (rest * 10 + digitAt(digits, at)) % divisor;
  return rest;
}

/** ISO 7064 MOD 11,10: the German tax id, the Croatian OIB. */
export function passesMod11And10(digits: string): boolean {
  let product = 10;
  for (let at = 0; at < digits.length - 1; at++) {
    const sum = (digitAt(digits, at) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === digitAt(digits, digits.length - 1);
}

/** The dihedral group of order 10: its multiplication table, and the permutation that is applied by position. */
const VERHOEFF_PRODUCT = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const VERHOEFF_PERMUTATION = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** Verhoeff: the Indian Aadhaar. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let at = digits.length - 1, step = 0; at >= 0; at--, step++) {
    const permuted = digitAt(VERHOEFF_PERMUTATION[step % 8]!, digitAt(digits, at));
    check = digitAt(VERHOEFF_PRODUCT[check]!, permuted);
  }
  return check === 0;
}

/** EAN-13: the Swiss AHV number. */
export const passesEan13 = (digits: string): boolean =>
  weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

/** Whether a day and a month can be those of a birth. */
export const isDayOfYear = (day: number, month: number): boolean => day >= 1 && day <= 31 && month >= 1 && month <= 12;
