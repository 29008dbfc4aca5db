// Identity and tax numbers of European countries, with their check digits.
import { labels } from '../../context.ts';
import { isDayOfYear, passesEan13, passesLuhn, passesMod11And10, remainder, weightedSum } from '../checksums.ts';
import type { IdentityNumber } from './identity-number.ts';

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const FINNISH_LETTERS = '0123456789ABCDEFHJKLMNPRSTUVWXY';

/** The German tax id repeats exactly one digit twice or three times among its first ten. */
function isGermanTaxId(digits: string): boolean {
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  return digits[0] !== '0' && repeated.length === 1 && repeated[0]! <= 3 && passesMod11And10(digits);
}

function isGermanInsurance(value: string): boolean {
  const letter = String(value.charCodeAt(8) - 64).padStart(2, '0');
  const digits = value.slice(0, 8) + letter + value.slice(9);
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  const sum = weights.reduce((total, weight, at) => {
    const product = weight * Number(digits[at]);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return isDayOfYear(Number(value.slice(2, 4)) % 50, Number(value.slice(4, 6))) && sum % 10 === Number(digits[12]);
}

function isFrenchNir(value: string): boolean {
  const department = value.slice(5, 7);
  const digits = value
    .slice(0, 13)
    .replace(department, department === '2A' ? '19' : department === '2B' ? '18' : department);
  return 97 - remainder(digits, 97) === Number(value.slice(13));
}

function isSpanishDni(value: string): boolean {
  const digits = value.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return DNI_LETTERS[Number(digits) % 23] === value.at(-1);
}

const ODD_VALUES = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
function isCodiceFiscale(value: string): boolean {
  let sum = 0;
  for (let at = 0; at < 15; at++) {
    const code = value.charCodeAt(at);
    const rank = code < 65 ? code - 48 : code - 65;
    sum += at % 2 === 0 ? ODD_VALUES[rank]! : rank;
  }
  return String.fromCharCode(65 + (sum % 26)) === value[15];
}

const isBsn = (digits: string): boolean =>
  Number(digits) > 0 && weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;

function isBelgian(digits: string): boolean {
  const [body, check] = [digits.slice(0, 9), Number(digits.slice(9))];
  const isDate = isDayOfYear(Number(digits.slice(4, 6)), Number(digits.slice(2, 4)) % 20);
  return isDate && (97 - remainder(body, 97) === check || 97 - remainder(`2${body}`, 97) === check);
}

function isPesel(digits: string): boolean {
  const isDate = isDayOfYear(Number(digits.slice(4, 6)), Number(digits.slice(2, 4)) % 20);
  return isDate && weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

function isSwedish(value: string): boolean {
  const digits = value.replace('+', '').slice(-10);
  // Coordination numbers add 60 to the day.
  return isDayOfYear(Number(digits.slice(4, 6)) % 60, Number(digits.slice(2, 4))) && passesLuhn(digits);
}

const isNorwegian = (digits: string): boolean =>
  isDayOfYear(Number(digits.slice(0, 2)) % 40, Number(digits.slice(2, 4))) &&
  weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
  weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;

function isFinnish(value: string): boolean {
  const digits = value.slice(0, 6) + value.slice(-4, -1);
  const isDate = isDayOfYear(Number(value.slice(0, 2)), Number(value.slice(2, 4)));
  return isDate && FINNISH_LETTERS[Number(digits) % 31] === value.at(-1);
}

const isAustrian = (digits: string): boolean =>
  weightedSum(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(digits[3]) &&
  isDayOfYear(Number(digits.slice(4, 6)), ((Number(digits.slice(6, 8)) - 1) % 12) + 1);

function isPortuguese(digits: string): boolean {
  const rest = weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === Number(digits[8]);
}

const isCzech = (digits: string): boolean =>
  digits.length === 10 &&
  isDayOfYear(Number(digits.slice(4, 6)), (Number(digits.slice(2, 4)) % 50) % 20) &&
  Number(digits) % 11 === 0;

function isRomanian(digits: string): boolean {
  const rest = weightedSum(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (
    isDayOfYear(Number(digits.slice(5, 7)), Number(digits.slice(3, 5))) &&
    (rest === 10 ? 1 : rest) === Number(digits[12])
  );
}

export const EUROPEAN_NUMBERS: readonly IdentityNumber[] = [
  {
    rule: 'gb-nino',
    pattern: /(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]/,
    isValid: () => true,
    label: labels('ni\\s?(?:no|number)|nino|national\\s+insurance'),
    alone: 0.75,
  },
  // Manuals use prefixes that were never issued.
  {
    rule: 'gb-nino-any',
    pattern: /[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]/,
    isValid: () => true,
    label: labels('ni\\s?(?:no|number)|nino|national\\s+insurance'),
    alone: 0,
  },
  {
    rule: 'gb-nhs',
    pattern: /\d{3}[ -]?\d{3}[ -]?\d{4}/,
    isValid: (digits) => weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
    label: labels('nhs'),
    alone: 0,
  },
  { rule: 'gb-utr', pattern: /\d{5} ?\d{5}/, isValid: () => true, label: labels('utr|unique\\s+taxpayer'), alone: 0 },
  {
    rule: 'de-tax-id',
    pattern: /[1-9]\d(?: ?\d{3}){3}/,
    isValid: isGermanTaxId,
    label: labels('steuer-?\\s?(?:id|identifikations)|idnr|tin|tax\\s+id'),
    alone: 0.45,
  },
  {
    rule: 'de-tax-number',
    pattern: /\d{2,3}[ /]\d{3,4}[ /]\d{4,5}/,
    isValid: (digits) => digits.length === 10 || digits.length === 11,
    label: labels('steuer-?\\s?n(?:umme)?r|st\\.?-?nr|tax\\s+n'),
    alone: 0,
  },
  {
    rule: 'de-insurance',
    pattern: /\d{2} ?\d{6} ?[A-Z] ?\d{3}/,
    isValid: isGermanInsurance,
    label: labels('(?:sozial|renten)?versicherung|svnr|rvnr'),
    alone: 0.6,
  },
  {
    rule: 'fr-nir',
    pattern: /[1-478] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}/,
    isValid: isFrenchNir,
    label: labels('nir|s[ée]cu(?:rit[ée])?|insee'),
    alone: 0.8,
  },
  {
    rule: 'es-dni',
    pattern: /(?:\d{2}\.?\d{3}\.?\d{3}|[XYZ][- ]?\d{7})[- ]?[A-Z]/,
    isValid: isSpanishDni,
    label: labels('dni|nie|nif|documento|identidad'),
    alone: 0.7,
  },
  {
    rule: 'es-social-security',
    pattern: /\d{2}[ /]?\d{8}[ /]?\d{2}/,
    isValid: (digits) => Number(digits.slice(0, 10)) % 97 === Number(digits.slice(10)),
    label: labels('seguridad\\s+social|nuss|naf|afiliaci[oó]n'),
    alone: 0,
  },
  {
    rule: 'it-codice-fiscale',
    pattern: /[A-Z]{6}\d[\dLMNP-V][A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]/,
    isValid: isCodiceFiscale,
    label: labels('codice\\s+fiscale|c\\.?\\s?f'),
    alone: 0.95,
  },
  {
    rule: 'nl-bsn',
    pattern: /\d{4}[ .]?\d{2}[ .]?\d{3}|\d{3}[ .]\d{3}[ .]\d{3}/,
    isValid: isBsn,
    label: labels('bsn|burgerservice|sofi'),
    alone: 0,
  },
  {
    rule: 'be-national-number',
    pattern: /\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}\.?\d{2}/,
    isValid: isBelgian,
    label: labels('rijksregister|registre\\s+national|nrn|niss|insz|num[ée]ro\\s+national'),
    alone: 0.6,
  },
  { rule: 'pl-pesel', pattern: /\d{11}/, isValid: isPesel, label: labels('pesel'), alone: 0.4 },
  {
    rule: 'se-personnummer',
    pattern: /(?:19|20)?\d{6}[-+]\d{4}|(?:19|20)\d{10}/,
    isValid: isSwedish,
    label: labels('personn|pnr|samordning|personal\\s+(?:identity|number)'),
    alone: 0.6,
  },
  {
    rule: 'no-fodselsnummer',
    pattern: /\d{6} ?\d{5}/,
    isValid: isNorwegian,
    label: labels('f[øo]dsel|personn|d-nummer'),
    alone: 0.6,
  },
  {
    rule: 'fi-henkilotunnus',
    pattern: /\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]/,
    isValid: isFinnish,
    label: labels('hetu|henkil[öo]|personbeteckning'),
    alone: 0.8,
  },
  {
    rule: 'dk-cpr',
    pattern: /(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{2}-?\d{4}/,
    isValid: () => true,
    label: labels('cpr|personn'),
    alone: 0,
  },
  {
    rule: 'ch-ahv',
    pattern: /756\.?\d{4}\.?\d{4}\.?\d{2}/,
    isValid: passesEan13,
    label: labels('ahv|avs|oasi|sozialversicherung'),
    alone: 0.9,
  },
  {
    rule: 'at-insurance',
    pattern: /[1-9]\d{3} ?\d{6}/,
    isValid: isAustrian,
    label: labels('sv-?\\s?n|svnr|versicherung|sozialvers'),
    alone: 0,
  },
  {
    rule: 'pt-nif',
    pattern: /[1235689]\d{2} ?\d{3} ?\d{3}/,
    isValid: isPortuguese,
    label: labels('nif|contribuinte'),
    alone: 0,
  },
  {
    rule: 'cz-birth-number',
    pattern: /\d{6}\/\d{4}/,
    isValid: isCzech,
    label: labels('rodn[éeáa]|r\\.?\\s?č'),
    alone: 0.6,
  },
  { rule: 'ro-cnp', pattern: /[1-9]\d{12}/, isValid: isRomanian, label: labels('cnp'), alone: 0.45 },
  { rule: 'hr-oib', pattern: /\d{11}/, isValid: passesMod11And10, label: labels('oib'), alone: 0 },
  {
    rule: 'ie-pps',
    pattern: /\d{7}[A-W][AHWTX]?/,
    isValid: (value) => 'WABCDEFGHIJKLMNOPQRSTUV'[irishSum(value) % 23] === value[7],
    label: labels('pps'),
    alone: 0.4,
  },
];

function irishSum(value: string): number {
  const second = value[8] && value[8] !== 'W' ? (value.charCodeAt(8) - 64) * 9 : 0;
  return weightedSum(value, [8, 7, 6, 5, 4, 3, 2]) + second;
}
