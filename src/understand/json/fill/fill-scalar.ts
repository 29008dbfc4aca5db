// Fills one field with the best value that can be read as what the schema asks for.

import { squeezed } from '../../../text/words/squeeze.ts';
import { findDate, findTime } from '../values/read-date.ts';
import { endDay, endTime } from '../values/read-range.ts';
import { readValue, textOf } from '../values/read-value.ts';
import { type FieldName, fieldName, saysWords } from './field-names.ts';
import { chooseValue, isJudged } from './judge/choose-value.ts';
import { type Filling, MIN_SCORE, type RequestedField, ranked, ruleConfidence } from './ranked.ts';
import type { FillScope, NamedValues, RawValue } from './scope.ts';
import { withoutLabel } from './without-label.ts';

const MAX_TRIED = 12;
/** The confidence in a value that no name of its own says. */
const INDIRECT = 0.6;

export function fillScalar(filling: Filling, asked: RequestedField, scope: FillScope): unknown {
  if (!isJudged(filling, asked)) return fillByRules(filling, asked, scope);
  const chosen = chooseValue(filling, asked, scope);
  if (!chosen) return unlabelled(filling, asked, scope);
  const { value, text, confidence } = chosen;
  if (confidence < filling.threshold) return undefined;
  filling.origins[asked.path] = { text, confidence };
  return value;
}

function fillByRules(filling: Filling, asked: RequestedField, scope: FillScope): unknown {
  const { field, path } = asked;
  for (const { named, score } of ranked(asked, scope)) {
    const confidence = ruleConfidence(score);
    if (confidence < filling.threshold) break;
    for (const raw of named.values.slice(0, MAX_TRIED)) {
      const value = readValue(field, asked.name, withoutLabel(raw, named, asked), filling.context);
      if (value === undefined || value === '' || !isNamedWhole(asked.name, named, raw)) continue;
      filling.origins[path] = { text: textOf(raw.value) ?? '', confidence };
      const isDay = field.format === 'date-time' && typeof value === 'string' && value.endsWith('T00:00:00Z');
      return isDay && asked.name.concepts.has('startDate') ? withTime(filling, asked, scope, value) : value;
    }
  }
  return unlabelled(filling, asked, scope);
}

/** The label or the value has the words of a compound name that its concept leaves out: a price is no `shippingPrice`. */
function isNamedWhole({ rest = [] }: FieldName, { name }: NamedValues, raw: RawValue): boolean {
  return rest.length === 0 || saysWords([...name.words, textOf(raw.value) ?? ''].join(' '), rest);
}

/** Values that stand under another name: a choice, the end of a range, the currency of a price. */
function unlabelled(filling: Filling, asked: RequestedField, scope: FillScope): unknown {
  if (INDIRECT < filling.threshold) return undefined;
  const { field, path } = asked;
  // In a row of a list; a whole page says too much else.
  if (field.choices) return path.includes(']') ? onlyChoice(filling, asked, scope) : undefined;
  if (field.format === 'date-time' || field.format === 'date') return momentFromParts(filling, asked, scope);
  return asked.name.concepts.has('currency') ? currencyOfPrices(filling, asked, scope) : undefined;
}

/** A badge that says exactly what one of the choices is called, if no other choice stands on the page as well. */
function onlyChoice(filling: Filling, { field, path }: RequestedField, scope: FillScope): unknown {
  const choices = new Map(
    field
      .choices!.filter((choice) => typeof choice === 'string' && choice.length > 2)
      .map((each) => [squeezed(String(each)), each]),
  );
  const found = new Map<unknown, string>();
  for (const { values, weight } of scope.named) {
    if (weight < MIN_SCORE) continue;
    for (const { value } of values.slice(0, MAX_TRIED)) {
      if (typeof value !== 'string' || value.length > 80) continue;
      for (const part of value.split(/\s*[·|•,;]\s*|\s[–—/]\s/)) {
        const choice = choices.get(squeezed(part));
        if (choice !== undefined) found.set(choice, part);
      }
    }
  }
  if (found.size !== 1) return undefined;
  const [[choice, text]] = [...found] as [[unknown, string]];
  filling.origins[path] = { text: text!, confidence: INDIRECT };
  return choice;
}

/** The end of a range that is written as one text with the start. */
function momentFromParts(filling: Filling, { field, name, path }: RequestedField, scope: FillScope): unknown {
  if (!name.concepts.has('endDate')) return undefined;
  const { language } = filling.context;
  const starts = ranked({ field, name: START, above: [], path, depth: 0 }, scope).flatMap(({ named }) => named.values);
  const texts = starts.map(({ value }) => textOf(value) ?? '').slice(0, MAX_MOMENTS);
  const day = texts.map((text) => endDay(text, language)).find((found) => found !== undefined);
  // Opening hours are a range as well: the text has the day, or nothing but the times.
  const text = texts.find(
    (each) => endTime(each) !== undefined && (each.length <= BARE_TIME || findDate(each, language)),
  );
  const time = text === undefined ? undefined : endTime(text);
  const start = texts.map((each) => findDate(each, language)?.day).find((found) => found !== undefined);
  if (day === undefined && (time === undefined || start === undefined)) return undefined;
  const said = text ?? texts.find((each) => endDay(each, language) !== undefined) ?? '';
  filling.origins[path] = { text: said, confidence: INDIRECT };
  if (field.format === 'date') return day ?? start;
  return `${day ?? start}T${time ?? '00:00:00'}Z`;
}

const MAX_MOMENTS = 40;
const BARE_TIME = 25;

/** A day without its time, where the time stands beside it or elsewhere under a name of its own. */
function withTime(filling: Filling, asked: RequestedField, scope: FillScope, value: string): string {
  const day = value.slice(0, 10);
  const others = ranked(asked, scope).flatMap(({ named }) => named.values);
  const texts = others.map((raw) => textOf(raw.value) ?? '').filter((text) => text.length <= 200);
  const whole = texts.slice(0, MAX_MOMENTS).map((text) => findDate(text, filling.context.language));
  const same = whole.find((found) => found?.day === day && found.time !== undefined);
  if (same) return `${day}T${same.time}${same.zone ?? 'Z'}`;
  const bare = texts.find(
    (text) => text.length <= BARE_TIME && findTime(text) && !findDate(text, filling.context.language),
  );
  const time = bare === undefined ? undefined : findTime(bare);
  return time === undefined ? value : `${day}T${time}Z`;
}

const START = fieldName('start date');

/** The price is written with its currency. */
function currencyOfPrices(filling: Filling, { field, name }: RequestedField, scope: FillScope): unknown {
  for (const named of scope.named) {
    if ((named.name.concepts.get('price') ?? 0) < 0.6 || named.weight < MIN_SCORE) continue;
    const value = readValue(field, name, named.values[0]!, filling.context);
    if (value !== undefined) return value;
  }
  return undefined;
}
