// Labelled pages: text with marks such as ⟦EMAIL|jane@example.org⟧. Those of the project are made from templates, whose
// marks name a kind of value: ⟦email⟧ is filled and labelled, ⟦-order⟧ is filled and must not be found.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REDACTED_ENTITIES, type RedactedEntity } from '../../src/contracts/scrape/redaction.ts';
import { cityOf, emailOf, type Language, personOf, phoneOf, placeOf, streetOf } from './contact-values.ts';
import { abaOf, bicOf, cardOf, ibanOf, ssnOf, taxIdOf } from './financial-values.ts';
import { otherValue } from './other-values.ts';
import { createRandom, type Random } from './random.ts';
import { passwordOf, secretOf } from './secret-values.ts';

export interface LabelledPage {
  name: string;
  language: string;
  text: string;
  labels: { start: number; end: number; entity: RedactedEntity }[];
}

const TEMPLATES = join(import.meta.dirname, 'templates');
const MARK = /⟦([^⟧]+)⟧/g;
export const FILLINGS = 4;

/** The pages of one half of the templates, each filled several times. */
export function templatePages(half: 'open' | 'held-out', fillings = FILLINGS): LabelledPage[] {
  const folder = join(TEMPLATES, half);
  return readdirSync(folder)
    .sort()
    .flatMap((file, index) =>
      Array.from({ length: fillings }, (_, filling) => {
        const language = file.slice(0, 2) as Language;
        const random = createRandom(index * 1_000 + filling + (half === 'open' ? 0 : 500_000));
        const marked = fill(readFileSync(join(folder, file), 'utf8'), language, random);
        return readMarked(`${half}/${file}#${filling}`, language, marked);
      }),
    );
}

/** Pages from elsewhere: files of text with marks, whose names begin with the language: `de-anything.md`. */
export const folderPages = (folder: string): LabelledPage[] =>
  readdirSync(folder)
    .filter((file) => /\.(?:md|txt)$/.test(file))
    .sort()
    .map((file) => readMarked(file, file.slice(0, 2), readFileSync(join(folder, file), 'utf8')));

function readMarked(name: string, language: string, marked: string): LabelledPage {
  const labels: LabelledPage['labels'] = [];
  let [text, position] = ['', 0];
  for (const match of marked.matchAll(MARK)) {
    text += marked.slice(position, match.index);
    position = match.index + match[0].length;
    const border = match[1]!.indexOf('|');
    const [entity, value] = [match[1]!.slice(0, border), match[1]!.slice(border + 1)];
    if (!isEntity(entity)) throw new Error(`${name}: unknown entity in ${match[0]}`);
    labels.push({ start: text.length, end: text.length + value.length, entity });
    text += value;
  }
  return { name, language, text: text + marked.slice(position), labels };
}

const isEntity = (name: string): name is RedactedEntity => (REDACTED_ENTITIES as readonly string[]).includes(name);

function fill(template: string, language: Language, random: Random): string {
  // A surname or given name alone refers to the person who was named last.
  let person = personOf(language, random);
  let last = '';
  const label = (entity: RedactedEntity, value: string) => {
    last = `⟦${entity}|${value}⟧`;
    return last;
  };
  return template.replace(MARK, (_, slot: string) => {
    const [kind = '', detail] = slot.split('.');
    if (kind.startsWith('-')) return otherValue(kind.slice(1), language, random);
    if (kind === 'same') return last;
    if (kind === 'person') {
      person = personOf(language, random);
      return label('PERSON', `${person.given} ${person.surname}`);
    }
    if (kind === 'given' || kind === 'surname') return label('PERSON', person[kind]);
    const financial = financialValue(kind, language, random);
    if (financial !== undefined) return `${detail === 'label' ? 'BIC ' : ''}${label('FINANCIAL', financial)}`;
    if (kind === 'email') return label('EMAIL', emailOf(language, detail, random));
    if (kind === 'phone') return label('PHONE', phoneOf(language, detail, random));
    if (kind === 'password') return label('SECRET', passwordOf(random));
    if (kind === 'secret') return label('SECRET', secretOf(detail!, random));
    const places = { street: streetOf, place: placeOf, city: cityOf };
    return label('LOCATION', places[kind as keyof typeof places](language, random));
  });
}

function financialValue(kind: string, language: Language, random: Random): string | undefined {
  const makers: Record<string, () => string> = {
    iban: () => ibanOf(language, random),
    bic: () => bicOf(random),
    card: () => cardOf(random),
    aba: () => abaOf(random),
    ssn: () => ssnOf(random),
    taxid: () => taxIdOf(language, random),
    account: () => random.digits('%#######'),
    sortcode: () => random.digits('##-##-##'),
  };
  return makers[kind]?.();
}
