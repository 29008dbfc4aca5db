// Persons, addresses, phone numbers and places for the templates, as six languages write them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldLatin } from '../../src/text/words/fold-letters.ts';
import type { Random } from './random.ts';

export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl';

interface Names {
  given: string[];
  surnames: string[];
  towns: string[];
  streets: string[];
}

const NAMES = JSON.parse(readFileSync(join(import.meta.dirname, 'names.json'), 'utf8')) as Record<Language, Names>;

const NATIONAL: Record<Language, readonly string[]> = {
  en: [
    '(415) %##-####',
    '206-%##-####',
    '312.%##.####',
    '020 7946 0###',
    '01632 960###',
    '(0161) 496 0###',
    '1-617-%##-####',
  ],
  de: ['030 / %# ## ## ##', '089 %######', '0221-%######', '(05561) %####', '07721/%####-##', '040 % ## ## ##'],
  fr: ['01 4# ## ## ##', '02.9#.##.##.##', '04 7# ## ## ##', '05-5#-##-##-##', '03 8# ## ## ##'],
  es: ['91 %## ## ##', '934 ## ## ##', '952 ### ###', '986 ## ## ##', '976-##-##-##'],
  it: ['02 %######', '06 %#######', '011 %######', '0532 %#####', '055-%######', '(081) %######'],
  nl: ['020 %## ####', '030-%######', '0512-%#####', '(0511) %## ###', '070 - %## ## ##', '0118 %#####'],
};
const MOBILE: Record<Language, readonly string[]> = {
  en: ['07700 900###', '07700 900 ###', '(503) %##-####', '917-%##-####'],
  de: ['0171 %######', '0151-2%######', '0176 / %# ## ## ##', '0160 % ### ###'],
  fr: ['06 1# ## ## ##', '07.6#.##.##.##', '06 8# ## ## ##'],
  es: ['612 ### ###', '655 ## ## ##', '699-###-###'],
  it: ['347 %######', '333 %# ## ###', '328.%######', '340-%######'],
  nl: ['06 %#######', '06-%#######', '06 %# ## ## ##'],
};
const INTERNATIONAL: Record<Language, readonly string[]> = {
  en: ['+1 415 %## ####', '+44 20 7946 0###', '+44 (0)161 496 0###', '+1-206-%##-####', '+1 (312) %##-####'],
  de: ['+49 30 %######', '+49 (0)89 %#####-##', '+49 171 %######', '+43 1 %######', '+41 44 %## ## ##'],
  fr: ['+33 1 4# ## ## ##', '+33 (0)6 1# ## ## ##', '+32 2 %## ## ##'],
  es: ['+34 91 %## ## ##', '+34 612 ### ###', '0034 952 ### ###'],
  it: ['+39 02 %######', '+39 347 %######', '0039 06 %#######'],
  nl: ['+31 20 %## ####', '+31 (0)6 %#######', '+32 3 %## ## ##'],
};
const POSTCODES: Record<Language, readonly string[]> = {
  en: ['{town} SY1 ##B', '{town}, OR 97###', '{town} LL30 #DT', '{town}, MN 558##'],
  de: ['38### {town}', 'D-83### {town}', '59### {town}', 'A-67## {town}', '25### {town}'],
  fr: ['24### {town}', '56### {town}', '88### {town}', 'F-63### {town}'],
  es: ['29### {town}', '44### {town}', '24### {town}', '06### {town}'],
  it: ['75### {town}', '06### {town} (PG)', '30### {town}', '10### {town}'],
  nl: ['86## AB {town}', '71## KL {town}', '43##XP {town}', '12## GH  {town}'.replace('  ', ' ')],
};

export const personOf = (language: Language, random: Random) => {
  const { given, surnames } = NAMES[language];
  return { given: random.pick(given), surname: random.pick(surnames) };
};

export const cityOf = (language: Language, random: Random): string => random.pick(NAMES[language].towns);

export function streetOf(language: Language, random: Random): string {
  const street = random.pick(NAMES[language].streets);
  const number = `${1 + random.below(180)}${random.below(8) === 0 ? random.pick(['a', 'b']) : ''}`;
  if (language === 'en') return `${number} ${street}`;
  if (language === 'fr') return `${number}${random.below(2) ? ',' : ''} ${street}`;
  return `${street}${language === 'es' || (language === 'it' && random.below(2)) ? ',' : ''} ${number}`;
}

export const placeOf = (language: Language, random: Random): string =>
  random.digits(random.pick(POSTCODES[language]).replace('{town}', cityOf(language, random)));

export function phoneOf(language: Language, kind: string | undefined, random: Random): string {
  const forms = kind === 'intl' ? INTERNATIONAL : kind === 'mobile' ? MOBILE : NATIONAL;
  return random.digits(random.pick(forms[language]));
}

const DOMAINS = [
  'example.org',
  'mail.example.com',
  'beispiel.de',
  'ejemplo.es',
  'exemple.fr',
  'voorbeeld.nl',
  'studio-norte.example',
  'firma.example.eu',
];
const AT = [' (at) ', '[at]', ' [at] ', '(at)', ' {at} '];

export function emailOf(language: Language, kind: string | undefined, random: Random): string {
  const { given, surname } = personOf(language, random);
  const plain = (name: string) => foldLatin(name.toLowerCase()).replace(/[^a-z]/g, '');
  const [first, last] = [plain(given), plain(surname)];
  const local = random.pick([
    `${first}.${last}`,
    `${first[0]}${last}`,
    'info',
    `${first}_${last}`,
    `${last}+web`,
    `kontakt-${last}`,
    `${first}${random.below(99)}`,
  ]);
  const domain = random.pick(DOMAINS);
  return kind === 'spelled' ? `${local}${random.pick(AT)}${domain}` : `${local}@${domain}`;
}
