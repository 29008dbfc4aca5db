// A found page as people see it: its title and best passages with the words marked, and what is known about it.
import { bestPassages } from '../../../text/passages/passages.ts';
import { eachWantedTerm, type QueryWord } from '../../../text/words/terms.ts';
import { isWordBorder } from '../../../text/words/tokenizer.ts';
import type { PageMatch } from '../../page-index.ts';
import { fetchedType, kindOf } from '../../pages/page-kind.ts';
import type { LazyPage } from '../lazy-page.ts';
import type { RankedPage, SearchParts } from '../page-ranking.ts';
import type { QueryTerms } from '../query-terms.ts';

const PASSAGES = 2;
const PASSAGE_LENGTH = 240;

export function toFoundPage(
  { columns }: SearchParts,
  terms: QueryTerms,
  { docId, page }: RankedPage,
): Omit<PageMatch, 'isMovedDown'> {
  const { texts } = page;
  const type = columns.types.list[columns.type[docId]!]!;
  const mark = (text: string) => markWords(text, texts.language, terms.words);
  return {
    url: page.url,
    title: mark(page.title),
    passages: passagesOf(page, terms, mark),
    host: columns.hosts.list[columns.host[docId]!]!,
    language: texts.language,
    kind: kindOf(type, columns.flags[docId]!),
    fileType: fetchedType(type),
    date: columns.date[docId]!,
    isPublished: texts.published === 1,
    isVerified: columns.verified[docId] === 1,
  };
}

/** A page without a passage that fits is shown by its description, or by how it begins. */
function passagesOf(page: LazyPage, terms: QueryTerms, mark: (text: string) => MarkedPart[]): MarkedPart[][] {
  const fitting =
    terms.words.length > 0 ? bestPassages(page.body, page.texts.language, terms, PASSAGES, PASSAGE_LENGTH) : [];
  // The title is shown anyway.
  const telling = fitting.filter(({ text }) => text !== page.title);
  if (telling.length > 0) return telling.map(({ text }) => mark(text));
  const opening = cut((page.description || page.body.slice(0, 2 * PASSAGE_LENGTH)).replace(/\s+/g, ' ').trim());
  return opening === '' ? [] : [mark(opening)];
}

function cut(text: string): string {
  if (text.length <= PASSAGE_LENGTH) return text;
  let end = PASSAGE_LENGTH;
  for (let steps = 0; steps < 40 && !isWordBorder(text, end); steps += 1) end -= 1;
  return `${text.slice(0, end).trim()} …`;
}

interface MarkedPart {
  text: string;
  isMatch: boolean;
}

/** Splits a text into words of the query and what is around them, so that pages can mark the words. */
function markWords(text: string, language: string, words: readonly QueryWord[]): MarkedPart[] {
  const forms = new Map(words.flatMap((word, number) => word.forms.map((form): [string, number] => [form, number])));
  const parts: MarkedPart[] = [];
  let done = 0;
  const add = (end: number, isMatch: boolean) => {
    if (end <= done) return;
    const last = parts.at(-1);
    const piece = text.slice(done, end);
    if (last?.isMatch === isMatch) last.text += piece;
    else parts.push({ text: piece, isMatch });
    done = end;
  };
  // Terms of some scripts overlap: each adds what lies behind the last one.
  eachWantedTerm(text, language, forms, (word, start, end) => {
    if (word < 0) return;
    add(start, false);
    add(end, true);
  });
  add(text.length, false);
  return parts;
}
