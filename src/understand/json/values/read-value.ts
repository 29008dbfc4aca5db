// Reads a value of the page as what a schema asks for. Undefined if the page's value is not of that kind.

import { resolveUrl } from '../../../markup/html/page-urls.ts';
import type { DataItem, DataValue } from '../../../page/structured-data.ts';
import { findCurrency } from '../../../text/prices/prices.ts';
import type { FieldName } from '../fill/field-names.ts';
import { isItem, type RawValue } from '../fill/scope.ts';
import type { SchemaField } from '../schema/schema-field.ts';
import { chooseAmount, countedPart, findScore } from './read-amount.ts';
import { readBoolean } from './read-boolean.ts';
import { chooseFrom } from './read-choice.ts';
import { type FoundDate, findDate, findTime } from './read-date.ts';
import { findAmount, findCount, findMinutes } from './read-number.ts';

export interface ValueContext {
  url: string;
  language?: string;
}

const DURATIONS = ['prepTime', 'cookTime', 'totalTime', 'duration'];
const LINKS = ['url', 'image', 'logo', 'website', 'ticketUrl', 'nextPage'];
const DATES = ['datePublished', 'dateModified', 'startDate', 'endDate', 'deadline'];
const FREE =
  /^(?:(?:eintritt|entry|admission|entrée|entrada)[\s:]*)?(?:free(?:\s(?:entry|admission|of\scharge))?|frei|kostenlos|gratis|gratuite?|libre|gratuit[oa])\b/i;
const PEOPLE = ['author'];
const CODES = ['sku', 'gtin', 'mpn', 'isbn'];
const COUNTS = ['reviewCount', 'commentCount'];
const MAX_CODE = 30;
const MAX_RATING = 10;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/;
const VOCABULARY = /^https?:\/\/(?:www\.)?schema\.org\//i;
const MAX_STRING = 100_000;

export function readValue(field: SchemaField, name: FieldName, raw: RawValue, context: ValueContext): unknown {
  const text = textOf(raw.value);
  if (text === undefined || text === '') return undefined;
  if (field.choices) {
    const said = means(name, ['currency']) ? (findCurrency(text, context) ?? text) : text;
    return chooseFrom(field.choices, said);
  }
  if (field.kind === 'boolean') return asBoolean(raw.value, text, name);
  if (field.kind === 'number' || field.kind === 'integer') return asNumber(field, name, raw.value, text, context);
  return field.kind === 'string' ? asString(field, name, raw, text, context) : undefined;
}

const means = (name: FieldName, concepts: readonly string[]): boolean =>
  concepts.some((concept) => (name.concepts.get(concept) ?? 0) > 0.6);
const isLink = (name: FieldName): boolean =>
  means(name, LINKS) || [...name.concepts.keys()].some((concept) => concept.endsWith(' link'));

function asBoolean(value: DataValue, text: string, name: FieldName): boolean | undefined {
  const said = typeof value === 'boolean' ? value : readBoolean(text);
  return said === undefined ? undefined : means(name, ['soldOut']) ? !said : said;
}

function asNumber(
  field: SchemaField,
  name: FieldName,
  value: DataValue,
  text: string,
  { language }: ValueContext,
): number | undefined {
  if (means(name, ['price']) && FREE.test(text)) return 0;
  const isDuration = means(name, DURATIONS);
  const minutes = isDuration && typeof value !== 'number' ? findMinutes(text) : undefined;
  const isMoney = means(name, ['price', 'originalPrice', 'lowPrice', 'highPrice', 'salary', 'shipping']);
  const amount = numberPart(name, text, isMoney);
  if (amount === undefined) return undefined;
  const found =
    typeof value === 'number'
      ? value
      : minutes === undefined
        ? numberIn(amount, language)
        : inUnit(minutes, field, name);
  if (found === undefined || (field.kind === 'integer' && !Number.isInteger(found))) return undefined;
  // "$0.00" is the cart, and a thousand stars are votes.
  if (isMoney && found === 0 && !/^0(?:[.,]0+)?$/.test(text)) return undefined;
  // Two numbers that ran together, or a code.
  if (means(name, ['rating']) && /[.,]\d{3}/.test(String(found))) return undefined;
  if (typeof value === 'string' && /^0\d{3}/.test(amount.trim())) return undefined;
  return means(name, ['rating']) && found > (/%|\/\s?100/.test(text) ? 100 : MAX_RATING) ? undefined : found;
}

/** The part of a text that says the number, where several stand in it. */
function numberPart(name: FieldName, text: string, isMoney: boolean): string | undefined {
  if (isMoney) return moneyPart(name, text);
  if (means(name, COUNTS)) return countedPart(text);
  return means(name, ['rating']) ? (findScore(text) ?? text) : text;
}

/** A text that has only other amounts, such as a crossed-out price or a saving, does not say the price. */
function moneyPart(name: FieldName, text: string): string | undefined {
  if (means(name, ['shipping'])) return findAmount(text) ?? text;
  return chooseAmount(text, means(name, ['originalPrice'])) ?? (findAmount(text) === undefined ? text : undefined);
}

/** Programs write a point; people write as their language does. */
const numberIn = (text: string, language: string | undefined): number | undefined =>
  /^-?\d+(?:\.\d+)?$/.test(text.trim()) && !/^-?[1-9]\d{0,2}\.\d{3}$/.test(text.trim())
    ? Number(text)
    : findCount(text, language)?.value;

function inUnit(minutes: number, { words }: SchemaField, name: FieldName): number {
  const said = `${name.words.join(' ')} ${words}`.toLowerCase();
  if (/\b(?:hours?|stunden?|heures?|horas?)\b/.test(said)) return minutes / 60;
  return /\b(?:seconds?|secs?|sekunden?|secondes?|segundos?)\b/.test(said) ? minutes * 60 : minutes;
}

function asString(
  field: SchemaField,
  name: FieldName,
  raw: RawValue,
  text: string,
  context: ValueContext,
): string | undefined {
  const { format } = field;
  if (format === 'email' || format === 'idn-email') return EMAIL.exec(text)?.[0];
  if (format === 'date' || format === 'date-time' || format === 'time') return asDate(format, text, context.language);
  if (format === 'uri' || format === 'url' || format === 'iri' || format === 'uri-reference')
    return asUrl(raw, context);
  if (isLink(name)) return asUrl(raw, context) ?? undefined;
  if (means(name, ['email'])) return EMAIL.exec(text)?.[0] ?? text;
  if (means(name, ['currency'])) return findCurrency(text, context) ?? (/^\p{L}{3}$/u.test(text) ? text : undefined);
  if (means(name, PEOPLE)) return asPerson(text);
  if (isOtherKind(name, text)) return undefined;
  if (means(name, ['city', 'postalCode', 'street']) && !means(name, ['address', 'venue']))
    return addressPart(name, text);
  if (CLOCK.test(name.words.join(' ')) && means(name, ['startDate', 'endDate', 'doorTime'])) return timeWords(text);
  if (means(name, CODES) && text.length > MAX_CODE) return /^[\w./-]+/.exec(text)?.[0];
  if (means(name, DATES) && text.length <= 200) return dateWords(text, context.language);
  return tidy(text.slice(0, MAX_STRING), name);
}

/** Rejects texts that cannot be the value: a country with digits, an age that is a moment, a seller with a weight. */
function isOtherKind(name: FieldName, text: string): boolean {
  if (means(name, ['country'])) return /\d/.test(text);
  if (means(name, ['age'])) return /\bago\b|\bvor\s\d|il\sy\sa|\bhace\b/i.test(text);
  if (means(name, ['isbn'])) return !/97[89]|^[\d\s-]{9,12}[\dX]$/i.test(text);
  return (
    means(name, ['seller', 'brand', 'organizer']) && (text.length > 80 || /\d\s?(?:kg|cm|mm|g|%)(?!\p{L})/u.test(text))
  );
}

/** Names that ask for the time of day. */
const CLOCK = /\b(?:uhrzeit|heure|hora|ora|clock|tijd)\b/;
const TIME_WORDS = /\d{1,2}(?:[:.h]\d\d|(?=\s?[ap]\.?m))(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?(?:h|uhr)\b/i;
const timeWords = (text: string): string | undefined => TIME_WORDS.exec(text)?.[0];

const POSTAL = /(?<![\p{L}\d])(?:[A-Z]{1,2}-)?(\d{4,5}(?:-\d{4})?|\d{4}\s?[A-Z]{2})(?!\d)/u;
const STREET = /\d/;

/** A city, its code or a street out of a whole address: "Hauptstr. 1, 12345 Berlin". */
function addressPart(name: FieldName, text: string): string | undefined {
  const parts = text.split(/\s*[,\n|·]\s*/).filter((part) => part !== '');
  if (means(name, ['postalCode'])) return parts.length === 1 && text.length <= 10 ? text : POSTAL.exec(text)?.[1];
  if (means(name, ['street']))
    return parts.length === 1 ? text : parts.find((part) => STREET.test(part) && !/^\D{0,3}\d{4,5}\s/.test(part));
  const coded = parts.find((part) => /^\D{0,3}\d{4,5}\s+\p{L}/u.test(part));
  if (coded !== undefined) return coded.replace(/^\D{0,3}\d{4,5}\s+/u, '');
  if (parts.length === 1) return text;
  return parts.findLast((part) => !/\d/.test(part));
}

function asUrl({ value, href }: RawValue, { url }: ValueContext): string | undefined {
  const given = href ?? (isItem(value) ? urlOf(value) : typeof value === 'string' ? value.trim() : undefined);
  if (given === undefined || /\s/.test(given)) return undefined;
  return /^(?:https?:)?\/\/|^[/.?#]|^[^:]+\.\w+$/.test(given) || href !== undefined
    ? resolveUrl(given, url)
    : undefined;
}

const urlOf = ({ properties, id }: DataItem): string | undefined => {
  const found = properties.contentUrl?.[0] ?? properties.url?.[0] ?? id;
  return typeof found === 'string' ? found : undefined;
};

function asDate(format: string, text: string, language: string | undefined): string | undefined {
  if (format === 'time') return /^\d\d:\d\d:\d\d/.exec(text)?.[0] ?? findTime(text);
  const found = findDate(text, language);
  if (!found) return undefined;
  return format === 'date' ? found.day : wholeTime(found);
}

/** A date among other words is given without them: "Published on 3 March 2026 by Ann". */
function dateWords(text: string, language: string | undefined): string {
  const found = findDate(text, language);
  return found && found.time === undefined ? found.text : text;
}

/** Schemas demand a time and a zone. Without a zone the time is that of the place, written as UTC. */
const wholeTime = ({ day, time = '00:00:00', zone = 'Z' }: FoundDate): string => `${day}T${time}${zone}`;

const BY =
  /^(?:(?:written|posted|published|recipe|words|text|story|veröffentlicht|geschrieben|publié|escrito|publicado)\s)?(?:by|von|par|por|di|door)[\s:]+/i;

const MAX_PERSON = 100;

/** The part of a byline that can be a name: no address, no handle, no date. */
function asPerson(text: string): string | undefined {
  for (const part of text.split(/\s*[|•·\n]\s*|\s+[–—/]\s+|\s{3,}/)) {
    const name = part.replace(BY, '').trim();
    const isName = /^\p{L}/u.test(name) && !/^https?:|^@|[<>]|\d[./:-]\d|\d{4}|\/\//.test(name);
    if (isName && name.length <= MAX_PERSON && name.split(' ').length <= 12) return name;
  }
  return undefined;
}

/** Without the label that stands in the same element: "Ages: 18+", "by Jane". */
function tidy(text: string, name: FieldName): string {
  const bare = VOCABULARY.test(text) ? text.replace(VOCABULARY, '') : text;
  return means(name, ['organizer', 'performers', 'brand', 'seller']) ? bare.replace(BY, '').trim() : bare;
}

/** The text of a value; an item is its name, or the parts of an address, or a value with its unit. */
export function textOf(value: DataValue): string | undefined {
  if (!isItem(value)) return String(value).trim();
  const { properties } = value;
  const parts = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry'];
  const address = parts.flatMap((part) => firstText(properties[part]) ?? []);
  if (address.length > 0) return postal(properties, address);
  const amount = firstText(properties.value);
  const unit = firstText(properties.unitText) ?? firstText(properties.unitCode);
  return (
    firstText(properties.name) ??
    firstText(properties.text) ??
    (amount === undefined ? undefined : [amount, unit].filter((part) => part !== undefined).join(' ')) ??
    urlOf(value)
  );
}

const firstText = (values: DataValue[] | undefined): string | undefined => {
  const first = values?.[0];
  if (first === undefined) return undefined;
  return isItem(first) ? firstText(first.properties.name) : String(first).trim();
};

/** "Street 1, 12345 City, Country". */
function postal(properties: DataItem['properties'], parts: string[]): string {
  const code = firstText(properties.postalCode);
  const city = firstText(properties.addressLocality);
  if (code === undefined || city === undefined) return parts.join(', ');
  return parts
    .filter((part) => part !== city)
    .map((part) => (part === code ? `${code} ${city}` : part))
    .join(', ');
}
