// A query as it stands in a search box: which parts of its text are conditions, and whether its last word is finished.
import type { Clause } from '../../contracts/search/search-query.ts';
import { type QueryItem, readItems } from './query.ts';
import { cleanText } from './scan-query.ts';

export interface TypedCondition {
  kind: Clause['kind'];
  negated: boolean;
  /** As typed. */
  text: string;
  /** Where it stands in the clean text. */
  start: number;
  end: number;
}

export interface TypedQuery {
  /** Without invisible characters and superfluous spaces. */
  text: string;
  conditions: TypedCondition[];
  /** The last word, while nothing shows that it is finished. */
  unfinished?: string;
}

export function readTypedQuery(typed: string): TypedQuery {
  const text = cleanText(typed);
  const items = readItems(text);
  const unfinished = unfinishedWord(typed, text, items.at(-1));
  return {
    text,
    conditions: items.filter(isCondition).map(({ clause: { kind, negated }, start, end }) => ({
      ...{ kind, negated, start, end },
      text: text.slice(start, end),
    })),
    ...(unfinished !== undefined && { unfinished }),
  };
}

/** The text without one of its conditions. */
export const withoutCondition = (text: string, { start, end }: TypedCondition): string =>
  cleanText(`${text.slice(0, start)} ${text.slice(end)}`);

/** What leaves out pages. Next to an OR, only sites and file types still do. */
function isCondition({ clause, isOptional }: QueryItem): boolean {
  if (clause.negated || clause.kind === 'site' || clause.kind === 'filetype') return true;
  if ('words' in clause && clause.words.length === 0) return false;
  return clause.kind !== 'word' && !isOptional;
}

function unfinishedWord(typed: string, text: string, last: QueryItem | undefined): string | undefined {
  if (last?.clause.kind !== 'word' || last.clause.negated) return undefined;
  const isAtEnd = last.end === text.length && !/[\s\u200b]$/.test(typed);
  return isAtEnd ? last.clause.text : undefined;
}
