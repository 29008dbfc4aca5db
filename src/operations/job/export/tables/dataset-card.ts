// The card of a data set (README.md with YAML in front): what it is, where it comes from, and what is in its columns.
import type { ParquetColumn } from '../../../../archive/parquet/parquet-writer.ts';
import { iso } from '../../../../util/clock.ts';
import type { ExportedDocument } from '../read-documents.ts';
import type { ExportSource } from '../read-slices.ts';

/** What is noted of the pages while they are written. */
export interface DatasetFacts {
  note(metadata: ExportedDocument['metadata']): void;
  pages(): number;
  /** Languages and hosts, those with the most pages first. */
  languages(): string[];
  hosts(): [host: string, pages: number][];
}

const MAX_COUNTED = 10_000;
const MAX_LISTED = 50;
const LANGUAGE = /^[a-z]{2,3}(?=$|[-_])/;
/** As Hugging Face groups them. */
const SIZES = [
  ['n<1K', 1_000],
  ['1K<n<10K', 10_000],
  ['10K<n<100K', 100_000],
  ['100K<n<1M', 1_000_000],
  ['1M<n<10M', Number.POSITIVE_INFINITY],
] as const;

const TYPES: Record<ParquetColumn['type'], string> = {
  text: 'string',
  bytes: 'binary',
  integer: 'int32',
  long: 'int64',
  number: 'float64',
  boolean: 'bool',
  time: 'timestamp (ms, UTC)',
  list: 'list of strings',
};

export function createDatasetFacts(): DatasetFacts {
  let pages = 0;
  const languages = new Map<string, number>();
  const hosts = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string | undefined) => {
    if (name && (counts.has(name) || counts.size < MAX_COUNTED)) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const most = (counts: Map<string, number>) => [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_LISTED);
  return {
    note({ language, url }) {
      pages += 1;
      count(languages, LANGUAGE.exec(String(language ?? '').toLowerCase())?.[0]);
      count(hosts, URL.parse(String(url ?? ''))?.host);
    },
    pages: () => pages,
    languages: () => most(languages).map(([name]) => name),
    hosts: () => most(hosts),
  };
}

interface Described {
  columns: readonly ParquetColumn[];
  facts: DatasetFacts;
  /** As the caller says. */
  license: string | undefined;
}

export function datasetCard(
  { kind, url, createdAt }: Pick<ExportSource, 'kind' | 'url' | 'createdAt'>,
  { columns, facts, license }: Described,
): string {
  const pages = facts.pages();
  const hosts = facts.hosts();
  const source = kind === 'crawl' ? `a crawl from ${url}` : 'a list of pages';
  const title = `Pages of ${hosts[0]?.[0] ?? 'the web'}`;
  return `---
pretty_name: ${JSON.stringify(title)}
license: ${license ?? 'unknown'}
${list('language', facts.languages())}size_categories:
- ${SIZES.find(([, below]) => pages < below)![0]}
configs:
- config_name: default
  data_files:
  - split: train
    path: data/*.parquet
---

# ${title}

${pages} pages, read by Trawl from ${source}, which began on ${iso(createdAt)}. Each page is a row.

## Columns

| Column | Type |
| --- | --- |
${columns.map(({ name, type }) => `| \`${name}\` | ${TYPES[type]} |`).join('\n')}

Structured data and \`metadata\` are JSON in a string. What is not known of a page is null.

## Source

${hosts.map(([host, count]) => `- ${host}: ${count}`).join('\n')}

## Licence

${license === undefined ? 'Unknown: the pages belong to their authors. Nobody has said under which terms they may be used.' : `${license}, as the one who made the data set says. The pages belong to whoever wrote them.`}
`;
}

const list = (name: string, values: readonly string[]): string =>
  values.length > 0 ? `${name}:\n${values.map((value) => `- ${JSON.stringify(value)}`).join('\n')}\n` : '';
