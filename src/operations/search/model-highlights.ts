// The passages that a language model chooses from scraped search results: one short call for all of them, in the time that
// is left. If there is no model, or it does not answer in time, the passages that were found without one remain.
import type { ModelSpending } from '../../models/language-model.ts';
import type { Asker } from '../../runtime/gate/gate.ts';
import type { MakerTools } from '../../understand/format-maker.ts';
import { type NumberedLines, spansOfLines } from '../../understand/passages/numbered-lines.ts';
import { CHOOSE_HIGHLIGHTS } from '../../understand/prompts/pages/choose-highlights.ts';
import { LINES_SCHEMA, readLines } from '../../understand/prompts/pages/choose-lines.ts';
import type { Understander } from '../../understand/understander.ts';

export interface HighlightedPage {
  url: string;
  title: string;
  markdown: string;
}

export interface HighlightDeps {
  understander: Pick<Understander, 'tools'>;
}

interface Circumstances {
  asker: Asker;
  isPrivate: boolean;
  /** How long the model may take. */
  limitMs: number;
  spending: ModelSpending;
  signal: AbortSignal;
}

/** A search should not wait longer for nicer descriptions. */
export const HIGHLIGHT_LIMIT_MS = 4_000;
const LINES_PER_RESULT = 6;
const LONGEST_LINE = 400;
const SHOWN_LINES = 2;
const JOINT = ' … ';
const OUTPUT_TOKENS = 300;

interface Line {
  page: HighlightedPage;
  text: string;
}

/** Descriptions by URL; none for pages of which the model chose nothing. */
export async function modelHighlights(
  { understander }: HighlightDeps,
  query: string,
  readPages: () => readonly HighlightedPage[],
  { asker, isPrivate, limitMs, spending, signal: outer }: Circumstances,
): Promise<Map<string, string>> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(Math.max(0, Math.min(limitMs, HIGHLIGHT_LIMIT_MS)))]);
  const tools = understander.tools({ asker, isPrivate, spending }, signal);
  const chosen = tools.model('answer');
  if ('without' in chosen) return new Map();
  try {
    const pages = readPages();
    const lines = (await Promise.all(pages.map((page) => linesOf(tools, query, page)))).flat();
    if (lines.length === 0) return new Map();
    const { value } = await chosen.model.object({
      instructions: CHOOSE_HIGHLIGHTS,
      material: { query, results: numbered(lines) },
      schema: LINES_SCHEMA,
      maxOutputTokens: Math.min(chosen.model.maxOutputTokens, OUTPUT_TOKENS),
      signal,
    });
    return descriptions(lines, readLines(value) ?? []);
  } catch {
    // Too slow, refused or malformed: the end of the search itself is noticed elsewhere.
    outer.throwIfAborted();
    return new Map();
  }
}

async function linesOf({ work }: MakerTools, query: string, page: HighlightedPage): Promise<Line[]> {
  const spans = await work.passages.highlight(page.markdown, { question: query, title: page.title });
  const texts = spans.map(({ start, end }) => page.markdown.slice(start, end));
  return texts
    .filter((text) => text.length <= LONGEST_LINE)
    .slice(0, LINES_PER_RESULT)
    .map((text) => ({ page, text }));
}

const numbered = (lines: readonly Line[]): string =>
  lines
    .map(({ page, text }, at) => `${lines[at - 1]?.page === page ? '' : `\n# ${page.title}\n`}[${at + 1}] ${text}`)
    .join('\n');

function descriptions(lines: readonly Line[], numbers: readonly unknown[]): Map<string, string> {
  const spans: NumberedLines['spans'] = lines.map((_, at) => ({ start: at, end: at + 1 }));
  const byUrl = Map.groupBy(spansOfLines(numbers, spans), ({ start }) => lines[start]!.page.url);
  return new Map(
    [...byUrl].map(([url, own]) => [
      url,
      own
        .slice(0, SHOWN_LINES)
        .map(({ start }) => lines[start]!.text)
        .join(JOINT),
    ]),
  );
}
