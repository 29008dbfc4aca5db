// Pages with the right values of their fields: a set of real sites, the open half of our own corpus, and pages of the
// agent's open tasks, whose values mostly stand in sentences.
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { openTemplates } from '../../bench/agent/open/open.ts';
import type { TaskTemplate } from '../../bench/agent/task.ts';
import type { Truth } from '../../bench/understand/labelled-page.ts';
import { openPages } from '../../bench/understand/open/open.ts';
import type { JsonSchema } from '../../src/understand/json/schema/subschemas.ts';

export interface LabelledFields {
  id: string;
  /** Books, jobs, recipes: kinds are left out together. */
  kind: string;
  url: string;
  html: string;
  fields: Record<string, JsonSchema>;
  /** All texts that are right, by the name of the field; empty if the page does not say it. */
  truth: Record<string, string[]>;
}

/** A page of the set of real sites: one as JSON a line, the file packed by Brotli. */
interface SitePage {
  vertical: string;
  site: string;
  id: string;
  url: string;
  html: string;
  truth: Record<string, string[]>;
}

const DESCRIPTIONS: Record<string, Record<string, string>> = {
  auto: { model: 'Model of the car', price: 'Price of the car', engine: 'Engine', fuel_economy: 'Fuel economy' },
  book: {
    ...{ title: 'Title of the book', author: 'Author', isbn_13: 'ISBN-13', publisher: 'Publisher' },
    publication_date: 'Publication date',
  },
  camera: { model: 'Model name of the camera', price: 'Price', manufacturer: 'Manufacturer' },
  job: { title: 'Job title', company: 'Company', location: 'Location', date_posted: 'Date posted' },
};

/** Fields that no page of the kind has. */
const ABSENT: Record<string, Record<string, string>> = {
  auto: { isbn_13: 'ISBN-13', departureDate: '', ceoName: 'Name of the CEO', job_title: 'Job title' },
  book: { engine: 'Engine', fuel_economy: 'Fuel economy', founderName: 'Founder', opening_hours: 'Opening hours' },
  camera: { isbn_13: 'ISBN-13', fuel_economy: 'Fuel economy', ceoName: 'Name of the CEO', departureDate: '' },
  job: { isbn_13: 'ISBN-13', engine: 'Engine', carPrice: 'Price of the car', directorName: 'Director of the film' },
};

/** `every`: one page of how many, of each site. */
export function labelledFields(file: string, every: number): LabelledFields[] {
  const lines = brotliDecompressSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  const sites = lines.filter((_line, at) => at % every === 0).map((line, at) => ofSite(JSON.parse(line), at));
  const own = openPages.flatMap((page, at) => (page.kind === 'listing' ? [] : [ofCorpus(page, at)]));
  return [...sites, ...own, ...openTemplates.flatMap(ofTemplate)];
}

/** Every second page is asked by names alone, and each for two fields that it does not have. */
function ofSite({ vertical, site, id, url, html, truth }: SitePage, number: number): LabelledFields {
  const absent = Object.entries(ABSENT[vertical]!).filter((_entry, at) => at % 2 === (number >> 1) % 2);
  const fields = Object.entries({ ...DESCRIPTIONS[vertical]!, ...Object.fromEntries(absent) }).map(
    ([name, description]) => [name, { type: 'string', ...(number % 2 === 0 && description && { description }) }],
  );
  return { id: `${vertical}/${site}/${id}`, kind: vertical, url, html, fields: Object.fromEntries(fields), truth };
}

type CorpusPage = (typeof openPages)[number];

function ofCorpus({ kind, template, url, html, schema, expected }: CorpusPage, number: number): LabelledFields {
  const truth = Object.entries(expected).map(([name, value]) => [name, textsOf(value)]);
  return {
    ...{ id: `${kind}/${template}/${number}`, kind, url, html, truth: Object.fromEntries(truth) },
    fields: Object.fromEntries(scalarFields(schema)),
  };
}

/** Each task with a schema, on each HTML page that states its answer. A page that states a part of it shows what is absent. */
function ofTemplate({ sites, tasks }: TaskTemplate): LabelledFields[] {
  return tasks.flatMap(({ name, pages, schema, expected, derived = [] }) => {
    if (!schema || !expected) return [];
    const asked = scalarFields(schema).filter(([field]) => !derived.includes(field));
    return pages.flatMap((address): LabelledFields[] => {
      const [host, path] = [address.split('/')[0]!, address.slice(address.indexOf('/'))];
      const html = sites[host]?.[path];
      if (typeof html !== 'string' || asked.length === 0) return [];
      const truth = asked.map(([field]) => [field, textsOf(expected[field]!)] as const);
      const stated = truth.map(([field, texts]) => [field, texts.filter((text) => isStated(html, text))]);
      const fields = Object.fromEntries(asked);
      return [
        {
          id: `${name}/${address}`,
          kind: 'task',
          url: `http://${address}`,
          html,
          fields,
          truth: Object.fromEntries(stated),
        },
      ];
    });
  });
}

const isStated = (html: string, text: string): boolean => {
  const letters = (from: string) => from.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return letters(html).includes(letters(text)) || /^\d{4}-\d\d-\d\d/.test(text);
};

const scalarFields = (schema: object): [string, JsonSchema][] =>
  Object.entries((schema as { properties: Record<string, JsonSchema> }).properties).filter(
    ([, { type }]) => type === 'string' || type === 'number' || type === 'integer',
  );

function textsOf(value: Truth): string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return 'anyOf' in value ? (value.anyOf as Truth[]).flatMap(textsOf) : [];
}
