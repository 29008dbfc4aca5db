// Facts in short lines without markup of their own: "By Ann | 3 March 2026 | 7 min read", "Serves 4", "1,048 ratings".

import { labelledParts } from '../../../../text/labels/labelled-parts.ts';
import { findScore } from '../../values/read-amount.ts';
import { findDate } from '../../values/read-date.ts';
import { findAmount } from '../../values/read-number.ts';
import { fieldName } from '../field-names.ts';
import type { NamedValues } from '../scope.ts';

const MAX_LINE = 240;
const MAX_SEGMENT = 120;
const MAX_LINES = 400;
const SEPARATOR = /\s*[|•·‧∙●▪]\s*|\s+[–—/]\s+|\t+|\s{3,}/;
/** A number and what it counts: "4 rooms", "12 Kommentare", "7 min read". */
const COUNTED =
  /^(?:ca\.?\s|~|about\s|over\s)?(\d[\d.,'’\u00a0\u202f]*(?:\s\d{3})*)\s*(\p{L}[\p{L}².]*(?:\s\p{L}+){0,2})$/u;
/** A word and its number: "Serves 4", "Doors 7:00 PM", "Prep 15 min". */
const WORD_FIRST = /^(\p{L}[\p{L}/-]*(?:\s\p{L}[\p{L}/-]*){0,2})\s+((?:[$€£¥~]|ca\.?\s)?\s?\d.{0,40})$/u;
const BYLINE =
  /^(?:(?:[Ww]ritten|[Pp]osted|[Pp]ublished|[Rr]eported|[Tt]ext|[Ww]ords|[Ss]tory|[Rr]ecipe|[Vv]eröffentlicht|[Gg]eschrieben|[Pp]ublié|[Ee]scrito|[Pp]ublicado)\s)?(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|[Aa]v|[Aa]f)[\s:]+(\p{Lu}[\p{L}.'’-]*(?:\s(?:\p{Lu}[\p{L}.'’-]*|(?:de|den|von|van|der|la|le|del|di|da|y|and)(?!\p{L})|&)){0,5})/u;
const READING =
  /^(\d{1,3})[\s-]*(?:min(?:ute)?s?|minuten|minutos|minuti)\.?\s+(?:read|lesezeit|lesedauer|de\slecture|de\slectura|de\sleitura|di\slettura|leestijd|läsning)/i;
const NOT_COUNTED = /^(?:am|pm|uhr|h|st|nd|rd|th|kg|g|cm|mm|m|km|ml|l|x|of|von|de|und|and|by|eur|usd|gbp|chf|px)$/i;

/** "Showing 1-20 of 57 results", "57 properties found". */
const RESULTS =
  /(?:\b(?:of|von|sur|de|di|van|av)\s|^)(\d[\d.,'’]*)\s(?:\p{L}+\s){0,2}(?:results?|hits|matches|found|ergebnissen?|treffern?|gefunden|résultats|trouvée?s|resultados|encontrad[oa]s|risultati|trovati|resultaten|gevonden)\b/iu;
/** "Organised by the choir", "Photos by Ann", "Presented by X". */
const DONE_BY = /^(\p{L}{4,20}(?:\s\p{L}{2,12})?\s(?:by|von|par|por|da|door|av))\s(.{2,80})$/iu;
/** What is said about a date: "Last modified on", "Aktualisiert am". */
const DATED =
  /^(\p{L}[\p{L}\s]{3,40}?)(?:\s(?:on|at|am|le|el|il|den|op|the|em))?[\s:,]+(?=\S*\d|\p{L}{2,10}\.?,?\s\d)/iu;

const PHONE =
  /(?:^|\s)(?:tel|telefon|phone|téléphone|tél|teléfono|telefono|fon|call|ruf)\.?\s?:?\s*([+(\d][\d\s()/.+-]{5,20}\d)/iu;
const YEAR = /^(?:19|20)\d\d$/;
const DISTANCE = /^\d[\d.,\s]*\s?(?:km|mi|miles)$/i;

const AREA = /^(?:m²|m2|qm|sqm|sq\.?\s?(?:ft|m)|square)/i;

export function factsIn(text: string, weight: number): NamedValues[] {
  const found: NamedValues[] = [];
  for (const line of text.split('\n', MAX_LINES)) {
    if (line.length > MAX_LINE) continue;
    if (/\d\s[–—]\s\D?\d/.test(line)) found.push(...priceRange(line.trim(), makeFact(weight)));
    for (const segment of line.split(SEPARATOR)) {
      const trimmed = segment.trim();
      const labelled = labelledFacts(trimmed, makeFact(weight));
      if (labelled) found.push(...labelled);
      else if (trimmed !== '' && trimmed.length <= MAX_SEGMENT) found.push(...factsOf(trimmed, weight));
    }
  }
  return found;
}

/** A text may go on behind its only label; of several labels, each ends the value of the one before. */
function labelledFacts(segment: string, fact: MakeFact): NamedValues[] | undefined {
  const parts = labelledParts(segment);
  if (parts[0]?.at !== 0) return undefined;
  if (parts.length === 1) return [fact(parts[0].label, segment.slice(parts[0].start))];
  return parts.map(({ label, start, end }) => fact(label, segment.slice(start, end)));
}

function factsOf(segment: string, weight: number): NamedValues[] {
  const fact = makeFact(weight);
  const reading = READING.exec(segment);
  if (reading) return [fact('reading time', `${reading[1]} min`)];
  const phone = PHONE.exec(segment);
  if (phone) return [fact('phone', phone[1]!)];
  if (YEAR.test(segment)) return [fact('year', segment, 0.75)];
  if (DISTANCE.test(segment)) return [fact('mileage', segment, 0.75)];
  const results = RESULTS.exec(segment);
  if (results) return [fact('result count', results[1]!)];
  const score = findScore(segment);
  const byline = BYLINE.exec(segment);
  const date = segment.length <= 60 ? findDate(segment, undefined) : undefined;
  const amount = findAmount(segment);
  return [
    ...(byline ? [fact('author', byline[1]!)] : []),
    ...(score === undefined ? [] : [fact('rating', score)]),
    ...doneBy(segment, fact),
    ...priceRange(segment, fact),
    ...(date ? (dated(segment, fact) ?? [fact('date', segment, 0.65)]) : []),
    ...(amount && segment.length <= 40 ? [fact('price', amount, 0.75)] : []),
    ...(date ? [] : counted(segment, fact)),
  ];
}

/** "£8 – £15", "$20 to $35". */
function priceRange(segment: string, fact: MakeFact): NamedValues[] {
  const low = segment.length <= MAX_SEGMENT ? findAmount(segment) : undefined;
  if (low === undefined) return [];
  const after = segment.slice(segment.indexOf(low) + low.length);
  const high = /^\s*(?:–|—|-|to|bis|à|a|tot)\s/i.test(`${after} `) ? findAmount(after) : undefined;
  return high === undefined ? [] : [fact('low price', low), fact('high price', high)];
}

type MakeFact = (name: string, value: string, trust?: number) => NamedValues;
const makeFact =
  (weight: number): MakeFact =>
  (name, value, trust = 1) => ({ name: fieldName(name), values: [{ value }], weight: weight * trust });

function doneBy(segment: string, fact: MakeFact): NamedValues[] {
  const match = DONE_BY.exec(segment);
  return match && fieldName(match[1]!).concepts.size > 0 ? [fact(match[1]!, match[2]!)] : [];
}

function dated(segment: string, fact: MakeFact): NamedValues[] | undefined {
  const label = DATED.exec(segment)?.[1];
  return label !== undefined && fieldName(label).concepts.size > 0 ? [fact(label, segment)] : undefined;
}

function counted(segment: string, fact: MakeFact): NamedValues[] {
  const count = COUNTED.exec(segment);
  if (count) {
    const [, number, unit] = count;
    if (AREA.test(unit!)) return [fact('area', segment)];
    const first = unit!.split(/\s/)[0]!;
    return NOT_COUNTED.test(first) ? [] : [fact(`${unit} count`, segment), fact(first, number!, 0.8)];
  }
  const word = WORD_FIRST.exec(segment);
  return word ? [fact(word[1]!, word[2]!.trim(), 0.9)] : [];
}
