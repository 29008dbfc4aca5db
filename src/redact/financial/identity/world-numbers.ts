// Identity and tax numbers of countries outside Europe, and numbers of documents that only a label tells apart.
import { labels } from '../../context.ts';
import { isDayOfYear, passesLuhn, passesVerhoeff, weightedSum } from '../checksums.ts';
import type { IdentityNumber } from './identity-number.ts';

/** Area, group and serial number are never zero; 666 and 900 to 999 were never areas. */
const isSsn = (digits: string): boolean =>
  !/^(?:000|666|9)|^...00|0000$/.test(digits) && !['123456789', '078051120', '219099999'].includes(digits);
const isItin = (digits: string): boolean => /^9\d\d(?:5\d|6[0-5]|7\d|8[0-8]|9[0-2]|9[4-9])/.test(digits);

/** The two check digits of Brazilian numbers: weights that grow to the left. */
function passesBrazilian(digits: string, largest: number): boolean {
  if (/^(\d)\1+$/.test(digits)) return false;
  return [digits.length - 2, digits.length - 1].every((length) => {
    let sum = 0;
    for (let at = 0; at < length; at++) sum += Number(digits[at]) * (((length - 1 - at) % (largest - 1)) + 2);
    const rest = sum % 11;
    return (rest < 2 ? 0 : 11 - rest) === Number(digits[length]);
  });
}

function isChinese(value: string): boolean {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const isDate = isDayOfYear(Number(value.slice(12, 14)), Number(value.slice(10, 12)));
  return isDate && '10X98765432'[weightedSum(value, weights) % 11] === value[17];
}

const isKorean = (digits: string): boolean =>
  isDayOfYear(Number(digits.slice(4, 6)), Number(digits.slice(2, 4))) &&
  (11 - (weightedSum(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === Number(digits[12]);

function isMyNumber(digits: string): boolean {
  const rest = weightedSum(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest <= 1 ? 0 : 11 - rest) === Number(digits[11]);
}

const isTfn = (digits: string): boolean => weightedSum(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
const isMedicare = (digits: string): boolean =>
  weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(digits[8]);

function isTurkish(digits: string): boolean {
  const [odd, even] = [weightedSum(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]), weightedSum(digits, [0, 1, 0, 1, 0, 1, 0, 1])];
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  const eleventh = weightedSum(digits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) % 10;
  return tenth === Number(digits[9]) && eleventh === Number(digits[10]);
}

const isSouthAfrican = (digits: string): boolean =>
  isDayOfYear(Number(digits.slice(4, 6)), Number(digits.slice(2, 4))) && passesLuhn(digits);

function isRut(value: string): boolean {
  const digits = value.slice(0, -1);
  const weights = [3, 2, 7, 6, 5, 4, 3, 2].slice(-digits.length);
  const check = 11 - (weightedSum(digits, weights) % 11);
  return (check === 11 ? '0' : check === 10 ? 'K' : String(check)) === value.at(-1);
}

const isCuit = (digits: string): boolean =>
  (11 - (weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(digits[10]);

const hasDigits = (value: string): boolean => value.replace(/\D/g, '').length >= 5;

export const WORLD_NUMBERS: readonly IdentityNumber[] = [
  {
    rule: 'us-ssn',
    pattern: /\d{3}-\d{2}-\d{4}/,
    isValid: isSsn,
    label: labels('ssn|social\\s+security'),
    alone: 0.75,
  },
  {
    rule: 'us-ssn-plain',
    pattern: /\d{3} ?\d{2} ?\d{4}/,
    isValid: isSsn,
    label: labels('ssn|social\\s+security'),
    alone: 0,
  },
  {
    rule: 'us-itin',
    pattern: /9\d{2}[- ]?\d{2}[- ]?\d{4}/,
    isValid: isItin,
    label: labels('itin|taxpayer|tax\\s+id'),
    alone: 0,
  },
  {
    rule: 'us-ein',
    pattern: /\d{2}-\d{7}/,
    isValid: () => true,
    label: labels('ein\\b|employer\\s+id|tax\\s+id|tin\\b'),
    alone: 0,
  },
  {
    rule: 'ca-sin',
    pattern: /[1-79]\d{2}[- ]?\d{3}[- ]?\d{3}/,
    isValid: passesLuhn,
    label: labels('sin\\b|social\\s+insurance|nas\\b|assurance\\s+sociale'),
    alone: 0,
  },
  {
    rule: 'br-cpf',
    pattern: /\d{3}\.\d{3}\.\d{3}-\d{2}/,
    isValid: (digits) => passesBrazilian(digits, 12),
    label: labels('cpf'),
    alone: 0.9,
  },
  {
    rule: 'br-cpf-plain',
    pattern: /\d{11}/,
    isValid: (digits) => passesBrazilian(digits, 12),
    label: labels('cpf'),
    alone: 0,
  },
  {
    rule: 'br-cnpj',
    pattern: /\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}/,
    isValid: (digits) => passesBrazilian(digits, 9),
    label: labels('cnpj'),
    alone: 0.9,
  },
  {
    rule: 'in-aadhaar',
    pattern: /[2-9]\d{3}[ -]\d{4}[ -]\d{4}/,
    isValid: passesVerhoeff,
    label: labels('aadh?aa?r|uidai|आधार'),
    alone: 0.6,
  },
  {
    rule: 'in-aadhaar-plain',
    pattern: /[2-9]\d{11}/,
    isValid: passesVerhoeff,
    label: labels('aadh?aa?r|uidai|आधार'),
    alone: 0,
  },
  {
    rule: 'in-pan',
    pattern: /[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]/,
    isValid: () => true,
    label: labels('pan\\b|permanent\\s+account'),
    alone: 0.6,
  },
  {
    rule: 'cn-resident-id',
    pattern: /[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])\d{5}[\dX]/,
    isValid: isChinese,
    label: labels('身份证|公民身份|resident\\s+id'),
    alone: 0.9,
  },
  {
    rule: 'kr-rrn',
    pattern: /\d{6}-[1-8]\d{6}/,
    isValid: isKorean,
    label: labels('주민등록|rrn|resident\\s+registration'),
    alone: 0.8,
  },
  {
    rule: 'jp-my-number',
    pattern: /\d{4}[ -]?\d{4}[ -]?\d{4}/,
    isValid: isMyNumber,
    label: labels('my\\s?number|マイナンバー|個人番号'),
    alone: 0,
  },
  { rule: 'au-tfn', pattern: /\d{3} ?\d{3} ?\d{3}/, isValid: isTfn, label: labels('tfn|tax\\s+file'), alone: 0 },
  { rule: 'au-medicare', pattern: /[2-6]\d{3} ?\d{5} ?\d/, isValid: isMedicare, label: labels('medicare'), alone: 0 },
  { rule: 'nz-ird', pattern: /\d{2,3}-?\d{3}-?\d{3}/, isValid: () => true, label: labels('ird\\b'), alone: 0 },
  {
    rule: 'tr-kimlik',
    pattern: /[1-9]\d{10}/,
    isValid: isTurkish,
    label: labels('kimlik|t\\.?c\\.?\\s?no'),
    alone: 0.5,
  },
  {
    rule: 'za-id',
    pattern: /\d{13}/,
    isValid: isSouthAfrican,
    label: labels('id\\s+(?:no|number)|identity\\s+number'),
    alone: 0,
  },
  { rule: 'sg-nric', pattern: /[STFGM]\d{7}[A-Z]/, isValid: () => true, label: labels('nric|fin\\b'), alone: 0.4 },
  {
    rule: 'mx-curp',
    pattern: /[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{5}[A-Z\d]\d/,
    isValid: () => true,
    label: labels('curp'),
    alone: 0.9,
  },
  {
    rule: 'mx-rfc',
    pattern: /[A-ZÑ&]{4}\d{6}[A-Z\d]{3}/,
    isValid: (value) => isDayOfYear(Number(value.slice(8, 10)), Number(value.slice(6, 8))),
    label: labels('rfc'),
    alone: 0.55,
  },
  {
    rule: 'cl-rut',
    pattern: /\d{1,2}\.?\d{3}\.?\d{3}-[\dkK]/,
    isValid: isRut,
    label: labels('rut\\b|run\\b'),
    alone: 0.5,
  },
  {
    rule: 'ar-cuit-plain',
    pattern: /(?:20|2[3-7]|3[034])\d{9}/,
    isValid: isCuit,
    label: labels('cuit|cuil'),
    alone: 0,
  },
  {
    rule: 'ar-cuit',
    pattern: /(?:20|2[3-7]|3[034])-\d{8}-\d/,
    isValid: isCuit,
    label: labels('cuit|cuil'),
    alone: 0.5,
  },
  {
    rule: 'passport',
    pattern: /[A-Z]{0,3}\d{5,9}[A-Z]{0,2}\d{0,2}|[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8}/,
    isValid: hasDigits,
    label: labels(
      'passport|reisepass|pass-?nr|passeport|pasaporte|passaporto|paspoort|personalausweis|ausweis-?n|carte\\s+d.identit|carta\\s+d.identit|identiteitskaart|护照|護照|旅券|パスポート|여권',
    ),
    alone: 0,
  },
  {
    rule: 'driving-licence',
    pattern: /[A-Z0-9]{6,18}/,
    isValid: hasDigits,
    label: labels(
      "driv(?:er|ing)(?:'?s)?\\s+licen[cs]e|f[üu]hrerschein|permis\\s+de\\s+conduire|permiso\\s+de\\s+conducir|patente\\s+di|rijbewijs",
    ),
    alone: 0,
  },
];
