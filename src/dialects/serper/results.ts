// Results of the pipeline as Serper's. What the service does not know of a result is left out.
import type { ResponseOf } from '../../contracts/route-types.ts';
import type { Source } from '../../contracts/search/search-query.ts';

type Found = ResponseOf<'search'>['data'];
type Page = <Result>(results: readonly Result[] | undefined) => Result[];

/** The lists of an answer; `position` counts from the first result of the page. */
export function listsOf(data: Found, source: Source, page: Page): Record<string, unknown[]> {
  if (source === 'news') return { news: page(data.news).map(newsResult) };
  if (source === 'images') return { images: page(data.images).map(imageResult) };
  return { organic: page(data.web).map(webResult), peopleAlsoAsk: [], relatedSearches: [] };
}

const webResult = ({ title, url, description }: NonNullable<Found['web']>[number], at: number) => ({
  ...{ title, link: url, snippet: description, position: at + 1 },
});

const newsResult = ({ title, url, snippet, date, imageUrl }: NonNullable<Found['news']>[number], at: number) => ({
  ...{ title, link: url, snippet, ...(date !== undefined && { date }), source: hostOf(url) },
  ...(imageUrl !== undefined && { imageUrl }),
  position: at + 1,
});

const imageResult = (image: NonNullable<Found['images']>[number], at: number) => {
  const { title, url, imageUrl, imageWidth, imageHeight } = image;
  const host = hostOf(url);
  return {
    ...{ title, imageUrl, imageWidth, imageHeight, thumbnailUrl: imageUrl },
    ...{ thumbnailWidth: imageWidth, thumbnailHeight: imageHeight },
    ...{ source: host, domain: host, link: url, position: at + 1 },
  };
};

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? '';
