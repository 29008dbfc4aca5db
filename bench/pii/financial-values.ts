// Accounts, cards and identity numbers with correct check digits, computed here and not by the code under test.
import { isValidIBAN } from 'ibantools';
import type { Language } from './contact-values.ts';
import type { Random } from './random.ts';

const COUNTRY: Record<Language, string> = { en: 'GB', de: 'DE', fr: 'FR', es: 'ES', it: 'IT', nl: 'NL' };
const BBAN: Record<Language, string> = {
  en: 'NWBK##############',
  de: '##################',
  fr: '#######################',
  es: '####################',
  it: 'X######################',
  nl: 'INGB##########',
};
const BICS = ['COBADEFFXXX', 'BNPAFRPP', 'CAIXESBBXXX', 'UNCRITMM', 'INGBNL2A', 'NWBKGB2L', 'DEUTDEDB', 'AGRIFRPP882'];

export function ibanOf(language: Language, random: Random): string {
  for (;;) {
    const account = random.digits(BBAN[language].replace('X', random.text(1, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')));
    const number = [...`${account}${COUNTRY[language]}00`].map((sign) => Number.parseInt(sign, 36)).join('');
    const check = String(98n - (BigInt(number) % 97n)).padStart(2, '0');
    const iban = `${COUNTRY[language]}${check}${account}`;
    // Some countries have check digits inside the account, too.
    if (isValidIBAN(iban)) return random.below(3) ? iban.replace(/(.{4})(?=.)/g, '$1 ') : iban;
  }
}

export const bicOf = (random: Random): string => random.pick(BICS);

export function cardOf(random: Random): string {
  const [prefix, length] = random.pick([
    ['4', 16],
    ['52', 16],
    ['2310', 16],
    ['37', 15],
    ['6011', 16],
  ] as const);
  const body = prefix + random.digits('#'.repeat(length - prefix.length - 1));
  const digits = body + luhnDigit(body);
  const separator = random.pick([' ', '-', '']);
  if (length === 15) return digits.replace(/^(.{4})(.{6})/, `$1${separator}$2${separator}`);
  return digits.replace(/(.{4})(?=.)/g, `$1${separator}`);
}

function luhnDigit(body: string): number {
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

export function abaOf(random: Random): string {
  const body = `0${1 + random.below(9)}${random.digits('######')}`;
  const sum = [3, 7, 1, 3, 7, 1, 3, 7].reduce((total, weight, at) => total + weight * Number(body[at]), 0);
  return body + ((10 - (sum % 10)) % 10);
}

export const ssnOf = (random: Random): string =>
  `${1 + random.below(8)}${random.digits('1%')}-${random.digits('%#-%###')}`;

export function taxIdOf(language: Language, random: Random): string {
  if (language === 'de') return germanTaxId(random);
  if (language === 'fr') return frenchNir(random);
  if (language === 'es') return spanishDni(random);
  if (language === 'it') return codiceFiscale(random);
  return language === 'nl' ? bsn(random) : ssnOf(random);
}

function germanTaxId(random: Random): string {
  const pool = [...'123456789'].sort(() => random.below(3) - 1);
  const digits = [...pool.slice(0, 9), pool[random.below(9)]!].join('');
  let product = 10;
  for (const digit of digits) {
    let sum = (Number(digit) + product) % 10;
    if (sum === 0) sum = 10;
    product = (sum * 2) % 11;
  }
  const id = digits + ((11 - product) % 10);
  return random.below(2) ? id : id.replace(/^(..)(...)(...)(...)$/, '$1 $2 $3 $4');
}

function frenchNir(random: Random): string {
  const two = (limit: number) => String(1 + random.below(limit)).padStart(2, '0');
  const parts = [
    String(1 + random.below(2)),
    random.digits('##'),
    two(12),
    two(89),
    random.digits('###'),
    random.digits('###'),
  ];
  const key = 97n - (BigInt(parts.join('')) % 97n);
  return [...parts, String(key).padStart(2, '0')].join(random.pick([' ', '']));
}

function spanishDni(random: Random): string {
  const digits = random.digits('########');
  return `${digits}${random.pick(['', '-'])}${'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23]}`;
}

function codiceFiscale(random: Random): string {
  const letters = (count: number) => random.text(count, 'BCDFGLMNPRSTVZ');
  const body = `${letters(6)}${random.digits('##')}${random.text(1, 'ABCDEHLMPRST')}${random.below(4)}${1 + random.below(9)}${random.text(1, 'ABDFGHL')}${random.digits('###')}`;
  const odd = 'BAFHJNPRTVCESULDGIMOQKWZYX';
  let sum = 0;
  for (const [at, sign] of [...body].entries()) {
    const rank = /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65;
    sum += at % 2 === 0 ? odd.charCodeAt(rank) - 65 : rank;
  }
  return body + String.fromCharCode(65 + (sum % 26));
}

function bsn(random: Random): string {
  for (;;) {
    const digits = random.digits('%########');
    const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at === 8 ? -1 : 9 - at), 0);
    if (sum % 11 === 0) return digits;
  }
}
