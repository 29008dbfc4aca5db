// Crossref: publications with a DOI. It ranks by words and has no operators.
import type { Paper, PaperRef } from '../../../../contracts/search/paper.ts';
import type { Conditions, Query } from '../../../../contracts/search/search-query.ts';
import { idsIn } from '../../../papers/paper-id.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderContext, ProviderQuery, ProviderResult } from '../../provider.ts';
import { list, positive, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import { dayOf, dayRange } from '../../toolkit/day-range.ts';
import { canBeOnHosts, lockedOut } from '../../toolkit/keyless.ts';
import { MAX_ABSTRACT, newPaper } from '../../toolkit/paper-record.ts';
import { descriptionOf } from '../../toolkit/wording.ts';

const MAX_COUNT = 100;
const MAX_OFFSET = 9_900;
const DIALECT: Dialect = { clauses: ['word'], negated: [], domains: 'none' };
const DAY_MS = 86_400_000;
const FIELDS = 'DOI,title,abstract,published,container-title';
const PAPER_FIELDS = `${FIELDS},author,link,is-referenced-by-count`;
const NO_WORKS: Works = { items: [], hasMore: false };

export const crossref: Provider = {
  name: 'crossref',
  label: 'Crossref',
  url: 'https://api.crossref.org',
  needs: 'nothing',
  sources: ['web'],
  onlyFor: ['research'],
  category: 'research',
  capabilities: () => ({ clauses: [], time: 'range', domains: false, maxCount: MAX_COUNT, maxPages: 10 }),
  covers: (question) => canBeOnHosts(['doi.org'], question),
  async search(question, context) {
    const { query, conditions, now } = question;
    const { papers } = conditions;
    const { items, hasMore } = papers?.ref
      ? await askForWork(papers.ref, context)
      : await askForWorks(question, context);
    const results = items.flatMap((item) =>
      readWork(item, query, now).map((result) => (papers ? { ...result, paper: readPaper(item, now) } : result)),
    );
    return { results, hasMore };
  },
};

interface Works {
  items: Record<string, unknown>[];
  hasMore: boolean;
}

async function askForWorks(question: ProviderQuery, { url, ask, signal }: ProviderContext): Promise<Works> {
  const { query, conditions, count, page, now } = question;
  const { papers } = conditions;
  const words = papers?.relation ? '' : writeQuery(query, DIALECT);
  const size = Math.min(count, MAX_COUNT);
  if (words === '' || page * size > MAX_OFFSET) return NO_WORKS;
  const answer = await ask.json(
    {
      url: `${url}/works`,
      parameters: {
        query: words,
        'query.author': papers?.authors?.join(' ') || undefined,
        rows: size,
        offset: page * size,
        filter: dateFilter(conditions, now),
        ...(conditions.sortByDate && { sort: 'published', order: 'desc' }),
        select: papers ? PAPER_FIELDS : FIELDS,
      },
      problemOf: lockedOut,
    },
    signal,
  );
  const { items, 'total-results': total } = expectMember(record(answer).message, 'items');
  return { items: list(items).map(record), hasMore: (page + 1) * size < (positive(total) ?? 0) };
}

/** A DOI that it does not know is refused with 404. */
async function askForWork({ namespace, value }: PaperRef, { url, ask, signal }: ProviderContext): Promise<Works> {
  if (namespace !== 'doi') return NO_WORKS;
  const answer = await ask.json({ url: `${url}/works/${encodeURIComponent(value)}`, problemOf: lockedOut }, signal);
  return { items: [expectMember(record(answer).message, 'DOI')], hasMore: false };
}

function dateFilter({ time, sortByDate }: Conditions, now: number): string | undefined {
  // Publishers announce future publications, which would sort as the newest.
  const { first, last = sortByDate ? dayOf(now) : undefined } = dayRange(time);
  const filters = [first && `from-pub-date:${first}`, last && `until-pub-date:${last}`].filter(Boolean);
  return filters.length > 0 ? filters.join(',') : undefined;
}

function readWork(work: Record<string, unknown>, query: Query, now: number): ProviderResult[] {
  if (typeof work.DOI !== 'string' || !/^10\.\d{2,9}\/\S{1,500}$/.test(work.DOI)) return [];
  const abstract = readAbstract(work);
  return [
    {
      url: `https://doi.org/${encodeURI(work.DOI.toWellFormed()).replace(/[?#]/g, encodeURIComponent)}`,
      title: text(list(work.title)[0]),
      description: abstract === '' ? text(list(work['container-title'])[0]) : descriptionOf(abstract, query),
      date: readParts(work.published, now),
    },
  ];
}

const readAbstract = ({ abstract }: Record<string, unknown>): string =>
  text(abstract, MAX_ABSTRACT).replace(/^(?:abstract|summary)[\s.:]+/i, '');

function readPaper(work: Record<string, unknown>, now: number): Paper {
  const date = readParts(work.published, now);
  const cited = work['is-referenced-by-count'];
  const files = list(work.link).map(record);
  return newPaper({
    ids: idsIn(`doi:${String(work.DOI)}`),
    title: text(list(work.title)[0]),
    abstract: readAbstract(work),
    authors: list(work.author).map((one) => {
      const { given, family, name } = record(one);
      return [text(given, 100), text(family, 100)].filter(Boolean).join(' ') || text(name, 200);
    }),
    ...(date !== undefined && { created: dayOf(date) }),
    ...(typeof cited === 'number' && { citations: Math.max(0, Math.round(cited)) }),
    fullTexts: files.filter((file) => file['content-type'] === 'application/pdf').map(({ URL: url }) => url),
  });
}

/** [[year, month, day]]; month and day may be missing, then the earliest possible day counts. */
function readParts(published: unknown, now: number): number | undefined {
  const [year, month, day] = list(list(record(published)['date-parts'])[0]).map(positive);
  if (year === undefined || year < 1400) return undefined;
  const date = Date.UTC(year, (month ?? 1) - 1, day ?? 1);
  return date > now + DAY_MS || Number.isNaN(date) ? undefined : date;
}
