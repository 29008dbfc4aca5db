// Bank accounts: IBAN by length and check digits; everything else only after a label that says what it is.
import { electronicFormatIBAN, getCountrySpecifications, isValidBIC, isValidIBAN } from 'ibantools';
import { lazy } from '../../util/lazy.ts';
import { hasLabel, isOfOneWord, labels, NOT_AFTER_WORD, NOT_BEFORE_WORD } from '../context.ts';
import type { Finding } from '../finding.ts';
import { remainder, weightedSum } from './checksums.ts';

const IBAN_START = new RegExp(`${NOT_AFTER_WORD}[A-Z]{2}[ \\u00a0]?\\d{2}(?=[ \\u00a0-]?[A-Z0-9])`, 'giu');
const IBAN_LABEL = labels('iban|konto[a-z]*|compte|cuenta|conto|rekening[a-z]*|account|bank[a-z]*');
const lengths = lazy(
  () =>
    new Map(Object.entries(getCountrySpecifications()).flatMap(([code, { chars }]) => (chars ? [[code, chars]] : []))),
);

export const findBankAccounts = (text: string): Finding[] => [...findIbans(text), ...findLabelled(text)];

function findIbans(text: string): Finding[] {
  const found: Finding[] = [];
  for (const { 0: beginning, index: start } of text.matchAll(IBAN_START)) {
    const length = lengths().get(beginning.slice(0, 2).toUpperCase());
    const end = length === undefined ? undefined : endOfIban(text, start, length);
    if (end === undefined) continue;
    const isValid = isValidIBAN(electronicFormatIBAN(text.slice(start, end)) ?? '');
    // A typing error does not make an account less personal, where a label says that it is one.
    const score = isValid ? 0.98 : hasLabel(text, start, IBAN_LABEL, 24) ? 0.5 : 0;
    found.push({ start, end, entity: 'FINANCIAL', rule: 'iban', score });
  }
  return found;
}

/** Reads as many letters and digits as the country's accounts have, with single blanks or hyphens between groups. */
function endOfIban(text: string, start: number, length: number): number | undefined {
  let count = 0;
  let at = start;
  while (count < length) {
    const character = text[at] ?? '\n';
    if (/[A-Za-z0-9]/.test(character)) count++;
    else if (!(/[ \u00a0-]/.test(character) && /[A-Za-z0-9]/.test(text[at + 1] ?? ''))) return undefined;
    at++;
  }
  return isOfOneWord(text[at]) ? undefined : at;
}

interface LabelledNumber {
  rule: string;
  label: RegExp;
  pattern: RegExp;
  isValid?: (digits: string) => boolean;
  score: number;
}

const ABA_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];
const CLABE_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7];
const isClabe = (digits: string): boolean => {
  const sum = CLABE_WEIGHTS.reduce((total, weight, at) => total + ((weight * Number(digits[at])) % 10), 0);
  return (10 - (sum % 10)) % 10 === Number(digits[17]);
};
/** Two check digits stand between the branch and the account. */
const isSpanishAccount = (digits: string): boolean => {
  const check = (part: string) => (11 - (weightedSum(part, [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11)) % 11;
  const expected = [check(`00${digits.slice(0, 8)}`), check(digits.slice(10))].map((digit) =>
    digit === 10 ? 1 : digit,
  );
  return expected.join('') === digits.slice(8, 10);
};
/** Letters of French accounts count as digits: A and J are 1, B, K and S are 2. */
const isRib = (value: string): boolean => {
  const digits = value.replace(/[A-Z]/g, (letter) => ' 12345678912345678923456789'[letter.charCodeAt(0) - 64]!);
  return remainder(digits, 97) === 0;
};

const ACCOUNT =
  'account\\s*(?:no|number|num|#|nr)|acct|a\\/c|konto-?\\s?(?:nr|nummer)|kontonummer|kto|num[ée]ro\\s+de\\s+compte|n[°º]\\s*de\\s+compte|(?:n[úu]mero|n[.º°]*)\\s+de\\s+cuenta|(?:numero\\s+(?:di\\s+)?|n[.°]?\\s*)conto|c\\/c|rekeningnummer|bank\\s+account|bankkonto';
const LABELLED: readonly LabelledNumber[] = [
  {
    rule: 'bic',
    label: labels('bic|swift'),
    pattern: /[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?/,
    isValid: isValidBIC,
    score: 0.85,
  },
  {
    rule: 'aba-routing',
    label: labels('routing|aba|rtn|transit'),
    pattern: /\d{9}/,
    isValid: (digits) =>
      weightedSum(digits, ABA_WEIGHTS) % 10 === 0 && /^(?:0|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/.test(digits),
    score: 0.9,
  },
  { rule: 'sort-code', label: labels('sort\\s?-?code'), pattern: /\d{2}[- ]?\d{2}[- ]?\d{2}/, score: 0.9 },
  { rule: 'bsb', label: labels('bsb'), pattern: /\d{3}[- ]?\d{3}/, score: 0.85 },
  { rule: 'blz', label: labels('blz|bankleitzahl'), pattern: /\d{3} ?\d{3} ?\d{2}/, score: 0.85 },
  { rule: 'ifsc', label: labels('ifsc'), pattern: /[A-Z]{4}0[A-Z0-9]{6}/, score: 0.9 },
  { rule: 'clabe', label: labels('clabe'), pattern: /\d{18}/, isValid: isClabe, score: 0.9 },
  {
    rule: 'spanish-account',
    label: labels('ccc|cuenta'),
    pattern: /\d{4}[ -]?\d{4}[ -]?\d{2}[ -]?\d{10}/,
    isValid: isSpanishAccount,
    score: 0.9,
  },
  {
    rule: 'french-rib',
    label: labels('rib|compte'),
    pattern: /\d{5}[ -]?\d{5}[ -]?[A-Z0-9]{11}[ -]?\d{2}/,
    isValid: isRib,
    score: 0.85,
  },
  { rule: 'account', label: labels('account(?=\\s?[:#])'), pattern: /\d{8,17}/, score: 0.6 },
  {
    rule: 'cvc',
    label: labels('cvv2?|cvc2?|security\\s+code|pr[üu]fziffer|cryptogramme'),
    pattern: /\d{3,4}/,
    score: 0.7,
  },
  {
    rule: 'account-number',
    label: labels(ACCOUNT),
    pattern: /\d{2,17}(?:[ .-]\d{1,8}){0,4}/,
    isValid: (digits) => digits.length >= 6 && digits.length <= 18,
    score: 0.75,
  },
];

/** Between a label and its value: a colon, the cells of a table, a few words such as "number is". */
const BETWEEN =
  /^(?:[\p{L}./()-]{0,14})?(?:[ \t]{0,3}(?:no|nr|number|code|nummer|numéro|número|numero|is|ist|est|es|è)\b\.?)?[\s:|=#*_`º°)-]{0,12}/iu;

function findLabelled(text: string): Finding[] {
  return LABELLED.flatMap(({ rule, label, pattern, isValid, score }) => {
    const value = new RegExp(`(?:${pattern.source})${NOT_BEFORE_WORD}`, 'uy');
    return [...text.matchAll(label)].flatMap((match): Finding[] => {
      const after = match.index + match[0].length;
      value.lastIndex = after + BETWEEN.exec(text.slice(after, after + 64))![0].length;
      const start = value.lastIndex;
      const found = value.exec(text)?.[0];
      if (found === undefined || (isValid && !isValid(found.replace(/[ .-]/g, '')))) return [];
      return [{ start, end: start + found.length, entity: 'FINANCIAL', rule, score }];
    });
  });
}
