// What must not be taken for personal data: orders, articles, prices, dates, hashes, ids.
import type { Language } from './contact-values.ts';
import type { Random } from './random.ts';

const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const MONTHS: Record<Language, string> = { en: 'March', de: 'März', fr: 'mars', es: 'marzo', it: 'marzo', nl: 'maart' };

const uuid = (random: Random) => [8, 4, 4, 4, 12].map((length) => random.text(length, HEX)).join('-');
const two = (random: Random, limit: number) => String(1 + random.below(limit)).padStart(2, '0');
const year = (random: Random) => 1985 + random.below(40);

const MAKERS: Record<string, (random: Random, language: Language) => string> = {
  order: (random) =>
    random.digits(random.pick(['########', '##########', '2024-######', '4%#-%######-####', '%###-####'])),
  sku: (random) => `${random.text(2, UPPER)}-${random.digits(random.pick(['####', '######', '####-##']))}`,
  price: (random, language) => {
    const amount = `${1 + random.below(900)}`;
    if (language === 'en') return random.pick([`$${amount}.99`, `£1,${random.digits('###')}.00`, `$${amount}`]);
    return random.pick([`${amount},90 €`, `1.${random.digits('###')},00 €`, `EUR ${amount},00`]);
  },
  cents: (random) => random.digits('%####'),
  date: (random, language) =>
    random.pick([
      `${year(random)}-${two(random, 12)}-${two(random, 28)}`,
      `${two(random, 28)}.${two(random, 12)}.${year(random)}`,
      `${two(random, 28)}/${two(random, 12)}/${year(random)}`,
      `${1 + random.below(28)} ${MONTHS[language]} ${year(random)}`,
    ]),
  iso: (random) =>
    `2024-${two(random, 12)}-${two(random, 28)}T${two(random, 23)}:${two(random, 59)}:${two(random, 59)}.${random.digits('###')}Z`,
  year: (random) => String(year(random)),
  number: (random, language) => {
    const separator = language === 'en' ? ',' : language === 'fr' ? ' ' : '.';
    return `${1 + random.below(40)}${separator}${random.digits('###')}`;
  },
  number7: (random) => random.digits('%######'),
  digit: (random) => random.digits('%'),
  digit2: (random) => random.digits('%#'),
  digit3: (random) => random.digits('%##'),
  digit4: (random) => random.digits('%###'),
  digit5: (random) => random.digits('%####'),
  digit8: (random) => random.digits('%#######'),
  siret: (random) => random.digits('%## ### ### 000##'),
  ean: (random) => random.digits('40############').slice(0, 13),
  isbn: (random) => random.digits('978-%-##-######-#'),
  ip: (random) => `10.${random.below(255)}.${random.below(255)}.${1 + random.below(254)}`,
  uuid,
  hash: (random) => random.text(random.pick([7, 40]), HEX),
  sha256: (random) => random.text(64, HEX),
  base64: (random) => `${random.text(86, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')}==`,
  version: (random) =>
    random.pick([random.digits('%.##.#'), random.digits('10.0.%####.###'), random.digits('v%.#.#-rc.#')]),
  tracking: (random) =>
    random.digits(random.pick(['00340############%##', '1Z%##AA########', 'RB#########DE', '############'])),
  word: (random) => random.pick(['shop', 'news', 'app']),
};

export const otherValue = (kind: string, language: Language, random: Random): string => MAKERS[kind]!(random, language);
