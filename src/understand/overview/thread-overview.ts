// A thread of a forum or a question with its answers: the topic, who began it, and how the first post begins.
import type { DataItem, PageRecord } from '../../page/structured-data.ts';
import { hasType, itemsOf, nameOf, textOf } from '../data/item-values.ts';
import { pageTitles } from '../data/page-titles.ts';
import type { PassageSpan } from '../passages/find-passages.ts';
import { isText } from '../product/choose-product-item.ts';
import type { OverviewPage } from './overview-page.ts';
import { ENDED, type Overview, overviewOf, SENTENCE, shareOf, spaceless } from './places.ts';

const POSTINGS = new Set(['DiscussionForumPosting']);
const QUESTION_PAGES = new Set(['QAPage']);
/** What forums call the part of a post that says who wrote it. */
const WRITER_NAME = /(?:^| )(?:author|user(?: ?name)?|poster|posted by|member|nick(?: ?name)?)(?: |$)/i;
const MIN_POSTS = 2;
/** Shorter ones say nothing. */
const MIN_POST = 40;
/** Where the posts are less of the page, they are comments below something else. */
const MIN_SHARE = 0.4;
const FIRST = 2;

interface Thread {
  topic: string | undefined;
  writer: string | undefined;
  first: PassageSpan[];
}

export function threadOverview(page: OverviewPage): Overview | undefined {
  const { source, places } = page;
  const thread = statedThread(page) ?? shownThread(page);
  if (!thread || thread.first.length === 0) return undefined;
  const topic = [thread.topic, ...pageTitles(source)].map((title) => places.of(title)).find(Boolean);
  if (!topic) return undefined;
  const writer = places.of(thread.writer, topic.end);
  return overviewOf(places.markdown, [
    { before: '', span: topic },
    ...(writer ? [{ before: ' – ', span: writer }] : []),
    ...thread.first.map((span) => ({ before: SENTENCE, span })),
  ]);
}

function statedThread({ source, places }: OverviewPage): Thread | undefined {
  const item = (source.data?.items ?? []).flatMap(openingPosts)[0];
  if (!item) return undefined;
  const first = places.sentencesOf(textOf(item, 'text', 'articleBody'), FIRST);
  return { topic: nameOf(item), writer: textOf(item, 'author'), first };
}

const openingPosts = (item: DataItem): DataItem[] => {
  if (hasType(item, POSTINGS)) return [item];
  return hasType(item, QUESTION_PAGES) ? itemsOf(item, 'mainEntity').slice(0, 1) : [];
};

function shownThread({ source, places }: OverviewPage): Thread | undefined {
  if (isText(source)) return undefined;
  const posts = source.data?.records.find(arePosts);
  if (
    !posts ||
    shareOf(
      places,
      posts.map(({ text }) => text),
    ) < MIN_SHARE
  )
    return undefined;
  const said = places
    .units()
    .filter(({ kind, start, end }) => kind === 'sentence' && ENDED.test(places.markdown.slice(start, end)));
  // The question may stand above the posts that answer it.
  const texts = posts.map(({ text }) => spaceless(text));
  const postOf = ({ start, end }: PassageSpan) =>
    texts.findIndex((text) => text.includes(spaceless(places.markdown.slice(start, end))));
  const opening = said[0] && postOf(said[0]);
  const end = said.findIndex((span) => postOf(span) !== opening);
  return {
    topic: undefined,
    writer: opening === 0 ? writerOf(posts[0]!) : undefined,
    first: said.slice(0, end === -1 ? FIRST : Math.min(end, FIRST)),
  };
}

const arePosts = (records: readonly PageRecord[]): boolean =>
  records.length >= MIN_POSTS &&
  records.every(isPost) &&
  records.filter(({ text }) => text.length >= MIN_POST).length * 2 >= records.length;

/** The rows of a list of threads have writers, too, and titles. */
const isPost = (record: PageRecord): boolean => {
  const writer = writerOf(record);
  return writer !== undefined && (record.title === undefined || writer.includes(record.title));
};

const writerOf = ({ fields }: PageRecord): string | undefined =>
  fields.find(({ label }) => WRITER_NAME.test(label))?.value;
