// trawl://docs/{chapter}: the manual of the service.
import { textOf } from '../../client/api-client.ts';
import { ApiError } from '../../client/api-error.ts';
import { type Chapter, type ChaptersResponse, chapterFormerly } from '../../contracts/manual.ts';
import type { ListedResource, ResourceContext, ResourceKind } from '../resource.ts';
import { noSuchResource, readPosition, textPart } from './text-part.ts';
import { docsUri } from './uris.ts';

const MARKDOWN = 'text/markdown';
const CHAPTER = /^([\w-]+)\/([\w-]+(?:\.md)?)$/;

export const chapters: ResourceKind = {
  name: 'docs',
  title: 'A chapter of the manual',
  description: 'The manual of this server: settings, search, formats, monitors, limits and errors. `offset` reads on.',
  template: 'trawl://docs/{+chapter}{?offset}',
  mimeType: MARKDOWN,
  values: { chapter: async (context) => (await askChapters(context)).map(nameOf) },
  async read({ chapter: asked = '', offset }, { api, signal, maxAnswer }) {
    const start = readPosition('offset', offset);
    const chapter = chapterFormerly(asked) ?? asked;
    const [, group, name] = CHAPTER.exec(chapter) ?? [];
    if (group === undefined || name === undefined) throw noSuchChapter();
    const text = await textOf(await api.download('manual', { params: { group, name }, signal }).catch(explain));
    const part = textPart(text, { offset: start, max: maxAnswer, uriAt: (next) => docsUri(chapter, next) });
    return [{ uri: docsUri(chapter, start), mimeType: MARKDOWN, text: part }];
  },
};

export const listChapters = async (context: ResourceContext): Promise<ListedResource[]> =>
  (await askChapters(context)).map((chapter) => ({
    uri: docsUri(nameOf(chapter)),
    name: nameOf(chapter),
    title: `Manual: ${chapter.title}`,
    mimeType: MARKDOWN,
    size: chapter.bytes,
  }));

async function askChapters({ api, signal }: ResourceContext): Promise<Chapter[]> {
  return (JSON.parse(await textOf(await api.download('chapters', { signal }))) as ChaptersResponse).chapters;
}

function explain(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
  throw noSuchChapter();
}

const noSuchChapter = () => noSuchResource('The manual has no such chapter. The list of resources has its chapters.');

const nameOf = ({ name }: Chapter): string => name.replace(/\.md$/, '');
