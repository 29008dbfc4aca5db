// Wikimedia Commons: images with their sizes.
import { DEFAULT_LANGUAGE, type Query } from '../../../../contracts/search/search-query.ts';
import { writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, positive, record, text } from '../../toolkit/answer-fields.ts';
import { canBeOnHosts } from '../../toolkit/keyless.ts';
import { askMediawiki, DIALECT, MAX_OFFSET } from '../../toolkit/mediawiki.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';
import { rankingWordsLast } from '../../toolkit/wording.ts';

const MAX_COUNT = 50;
/** The query length that remains beside the file conditions. */
const MAX_WORDS_LENGTH = 200;
const PICTURES = 'filetype:bitmap|drawing';

export const wikimedia: Provider = {
  name: 'wikimedia',
  label: 'Wikimedia Commons',
  url: 'https://commons.wikimedia.org',
  needs: 'nothing',
  sources: ['images'],
  capabilities: () => ({
    clauses: ['word', 'phrase'],
    time: 'none',
    domains: false,
    maxCount: MAX_COUNT,
    maxPages: 10,
  }),
  // The page of an image has the same name as its file.
  covers: (question) =>
    question.conditions.time === undefined && canBeOnHosts(['commons.wikimedia.org'], question, { hasFiles: true }),
  async search({ query, conditions, count, page }, context) {
    const wanted = writeQuery(rankingWordsLast(query), { ...DIALECT, maxLength: MAX_WORDS_LENGTH });
    const size = Math.min(count, MAX_COUNT);
    if (wanted === '' || page * size > MAX_OFFSET) return NO_RESULTS;
    const answer = await askMediawiki(
      {
        generator: 'search',
        gsrsearch: [wanted, PICTURES, ...sizeConditions(query)].join(' '),
        gsrnamespace: 6,
        gsrlimit: size,
        gsroffset: page * size,
        prop: 'imageinfo',
        iiprop: 'url|size|mime|extmetadata',
        iiextmetadatafilter: 'ImageDescription',
        iiextmetadatalanguage: conditions.language ?? DEFAULT_LANGUAGE,
      },
      context,
    );
    const pages = list(record(answer.query).pages).map(record);
    // Pages come sorted by id; `index` is their search rank.
    pages.sort(
      (a, b) => (positive(a.index) ?? Number.MAX_SAFE_INTEGER) - (positive(b.index) ?? Number.MAX_SAFE_INTEGER),
    );
    return {
      results: pages.flatMap(readPicture),
      hasMore: record(answer.continue).gsroffset !== undefined,
    };
  },
};

function readPicture({ title, imageinfo }: Record<string, unknown>): ProviderResult[] {
  const info = record(list(imageinfo)[0]);
  const url = httpUrl(info.descriptionurl);
  const imageUrl = httpUrl(info.url);
  if (url === undefined || imageUrl === undefined || !text(info.mime).startsWith('image/')) return [];
  return [
    {
      url,
      title: text(title)
        .replace(/^[^:]+:/, '')
        .replace(/\.\w{2,5}$/, ''),
      description: text(record(record(info.extmetadata).ImageDescription).value, 500),
      imageUrl,
      imageWidth: positive(info.width),
      imageHeight: positive(info.height),
    },
  ];
}

/** Sizes are checked on the results anyway; filtering here avoids fetching images in vain. */
const sizeConditions = ({ clauses }: Query): string[] =>
  clauses.flatMap((clause) => {
    if ((clause.kind !== 'imagesize' && clause.kind !== 'larger') || clause.negated) return [];
    const sign = clause.kind === 'larger' ? '>' : '';
    return [`filew:${sign}${clause.width}`, `fileh:${sign}${clause.height}`];
  });
