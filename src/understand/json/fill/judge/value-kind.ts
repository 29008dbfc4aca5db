// What kind of value a field asks for, and whether a text is of that kind.
import type { SchemaField } from '../../schema/schema-field.ts';
import { findDate } from '../../values/read-date.ts';
import { findAmount } from '../../values/read-number.ts';
import type { FieldName } from '../field-names.ts';

export type ValueKind = 'money' | 'date' | 'number' | 'person' | 'email' | 'phone' | 'code' | 'address' | 'text';

const CONCEPTS: readonly (readonly [kind: ValueKind, concepts: readonly string[]])[] = [
  ['money', ['price', 'originalPrice', 'lowPrice', 'highPrice', 'priceRange', 'discount', 'shipping', 'salary']],
  ['date', ['datePublished', 'dateModified', 'startDate', 'endDate', 'deadline', 'doorTime']],
  ['email', ['email']],
  ['phone', ['phone', 'fax']],
  ['code', ['sku', 'gtin', 'isbn', 'mpn', 'postalCode']],
  ['person', ['author', 'director']],
  ['address', ['address', 'street']],
  [
    'number',
    ['weight', 'width', 'height', 'depth', 'dimensions', 'mileage', 'pages', 'reviewCount', 'commentCount', 'viewCount']
      .concat(['rating', 'quantity', 'calories', 'servings', 'rooms', 'bedrooms', 'bathrooms', 'area', 'year', 'age'])
      .concat(['prepTime', 'cookTime', 'totalTime', 'duration']),
  ],
];

/** `words`: those of the name; the last of a compound says the kind. */
const WORDS: readonly (readonly [kind: ValueKind, words: RegExp])[] = [
  ['money', /^(?:price|cost|fee|amount|msrp|salary|preis|prix|precio|prezzo|kosten)$/],
  ['date', /^(?:date|day|datum|fecha|data|when|deadline|posted|updated|published)$/],
  ['number', /^(?:count|number|size|rate|score|percent|percentage|total|year|age|capacity|length|distance)$/],
  ['phone', /^(?:phone|telephone|tel|fax|mobile)$/],
  ['email', /^e?mail$/],
  ['code', /^(?:code|id|isbn|sku|ean|vin|reference)$/],
];

/** "In dollars". */
const CURRENCY = /[$€£¥]|\b(?:dollars?|euros?|pounds? sterling|in pounds|usd|eur|gbp|chf)\b/i;

export function kindOfField({ kind, format, words }: SchemaField, name: FieldName): ValueKind {
  if (format === 'email' || format === 'idn-email') return 'email';
  if (format === 'date' || format === 'date-time') return 'date';
  for (const [found, concepts] of CONCEPTS) {
    if (concepts.some((concept) => (name.concepts.get(concept) ?? 0) > 0.6)) return found;
  }
  if (CURRENCY.test(words)) return 'money';
  const last = name.words.at(-1) ?? '';
  const named = WORDS.find(([, words]) => words.test(last))?.[0];
  return named ?? (kind === 'number' || kind === 'integer' ? 'number' : 'text');
}

const PERSON = /^\p{Lu}[\p{L}\p{M}.'’-]*(?:[\s,&]+[\p{L}\p{M}.'’-]+){1,7}$/u;
const PHONE = /^[+(]?\d[\d\s()./+-]{5,24}\d(?:\s?(?:x|ext)\.?\s?\d+)?$/i;
const CODE = /^(?=.*\d)[\p{L}\d][\p{L}\d ./_-]{1,39}$/u;
const ADDRESS = /\d[\s\S]*\p{L}{3}|\p{L}{3}[\s\S]*\d/u;
const EMAIL = /^[\w.+-]{1,64}@[\w.-]{3,253}$/;
const VAGUE_DATE = /\b(?:19|20)\d\d\b|\b\d+\s\p{L}+\sago\b/u;
const MAX_SHORT = 40;
const MAX_TEXT = 120;
/** Characters beside a value that do not make it part of a sentence: a sign, a unit, a zone. */
const MAX_BESIDE = 12;

/** 1 for a text that is nothing else, less for one that holds it among other words, 0 for one that cannot be it. */
export const kindFit = (kind: ValueKind, text: string, language: string | undefined): number =>
  FITS[kind](text.trim(), language);

type Fit = (text: string, language: string | undefined) => number;

const FITS: Readonly<Record<ValueKind, Fit>> = {
  money: (text) => alone(text, findAmount(text)) ?? (/\d/.test(text) ? 0.3 : 0),
  date: (text, language) => alone(text, findDate(text, language)?.text) ?? (VAGUE_DATE.test(text) ? 0.6 : 0),
  number: (text) => (/\d/.test(text) ? (text.length <= MAX_SHORT ? 1 : 0.4) : 0),
  phone: (text) => (PHONE.test(text) ? 1 : (text.match(/\d/g)?.length ?? 0) >= 7 ? 0.4 : 0),
  email: (text) => (EMAIL.test(text) ? 1 : text.includes('@') ? 0.4 : 0),
  code: (text) => (CODE.test(text) ? 1 : /\d/.test(text) ? 0.3 : 0),
  person: (text) => (/\d|https?:|@/.test(text) ? 0 : PERSON.test(text) ? 1 : 0.4),
  address: (text) => (ADDRESS.test(text) ? 1 : 0.3),
  text: (text) => (text.length <= MAX_TEXT ? 1 : 0.4),
};

/** Undefined if nothing was found. */
const alone = (text: string, found: string | undefined): number | undefined =>
  found === undefined ? undefined : text.length <= found.length + MAX_BESIDE ? 1 : 0.5;
