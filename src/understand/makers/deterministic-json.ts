// The format `deterministicJson`: a model writes a selector program once for a template and a schema; the program is
// verified, stored, and run on the other pages of the template without a model.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { PRICES } from '../../contracts/prices.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { SelectorProgram } from '../../page/selector-programs.ts';
import { type CarriedSource, isSettled, type MadeFormat, type SelectedValues } from '../../page/understanding.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import type { FormatMaker, MakerTools } from '../format-maker.ts';
import type { TriedProgram } from '../json/json-work.ts';
import { PROGRAM_SCHEMA, readProgram } from '../json/program/program.ts';
import type { Judged, ProgramBook, WritingTurn } from '../json/program/program-book.ts';
import type { WrittenProgram } from '../json/program/program-history.ts';
import { programKeyOf } from '../json/program/program-key.ts';
import { textHash } from '../json/program/text-hash.ts';
import { programInstructions } from '../prompts/pages/write-program.ts';
import { type AskedWithoutModel, asContent, incomplete, jsonWithoutModel } from './json.ts';

const OVERHEAD_TOKENS = 1_000;
const MIN_PAGE_TOKENS = 500;
/** How often a page is looked at again because others have taught something meanwhile. */
const MAX_LOOKS = 20;

export const deterministicJson: FormatMaker<'deterministicJson'> = async (source, format, tools) => {
  const { schema, prompt } = format;
  if (!schema) return withoutProgram(source, format, tools);
  const key = programKeyOf(source.url, { schema, prompt });
  const selected = source.selected?.find(({ asked }) => asked === key.asked);
  // Nothing else of the page was made then.
  if (selected && isSettled(selected)) return answerOf(selected);
  if (!source.html) return withoutProgram(source, format, tools);
  const asked: Asked = { ...format, schema };
  if (!tools.programs) return writtenAlone(source, asked, tools);
  return withBook(source, asked, { book: tools.programs, key, selected }, tools);
};

/** For pages that are odd, or whose template no program could be written for. */
const UNFIT = 'no selector program fits this page, and another one is only written once more pages need it';

type Asked = AskedWithoutModel & { schema: Record<string, unknown> };

interface Shelf {
  book: ProgramBook;
  key: ReturnType<typeof programKeyOf>;
  /** By the programs that were known before the page was fetched. */
  selected: SelectedValues | undefined;
}

/** Pages that arrive together wait for the one that has a program written. */
async function withBook(
  source: CarriedSource,
  asked: Asked,
  { book, key, selected }: Shelf,
  tools: MakerTools,
): Promise<MadeFormat> {
  const page = textHash(source.url);
  const look = async (): Promise<SelectedValues> =>
    tools.work.json.select({ asked: key.asked, schema: asked.schema, programs: await book.programs(key) }, source);
  let selection = selected?.run ? selected : await look();
  for (let looks = 1; looks < MAX_LOOKS; looks++) {
    const judged = await book.judge(key, selection, page);
    if (judged.advice === 'use') break;
    if (judged.advice === 'learn') {
      const chosen = tools.model('extract');
      if ('without' in chosen) break;
      const turn = await book.takeTurn(key, judged, tools.signal);
      const { doubts } = judged;
      if (turn) return writeInTurn(chosen.model, source, asked, { turn, selection, doubts, page }, tools);
    }
    selection = await look();
  }
  return selection.run?.value === undefined ? withoutProgram(source, asked, tools, UNFIT) : answerOf(selection);
}

const fits = ({ run }: SelectedValues): boolean => run?.problems.length === 0;

interface Task {
  turn: WritingTurn;
  selection: SelectedValues;
  doubts: Judged['doubts'];
  page: number;
}

/** That a model wrote nothing that fits is remembered; that none could be asked is not. */
async function writeInTurn(
  model: LanguageModel,
  source: CarriedSource,
  asked: Asked,
  { turn, selection, doubts, page }: Task,
  tools: MakerTools,
): Promise<MadeFormat> {
  let outcome: WrittenProgram | undefined;
  try {
    const written = await writeProgram(model, source, asked, tools, doubts);
    const isKept = written?.made.problems.length === 0;
    const { template } = selection;
    outcome = { template, marks: written?.made.marks ?? {}, ...(isKept && { program: written.program }) };
    return !isKept && fits(selection) ? answerOf(selection) : answerOfWritten(written);
  } finally {
    await turn.end(outcome, page);
  }
}

/** Nothing may be stored. */
async function writtenAlone(source: CarriedSource, asked: Asked, tools: MakerTools): Promise<MadeFormat> {
  const chosen = tools.model('extract');
  if ('without' in chosen) return withoutProgram(source, asked, tools);
  return answerOfWritten(await writeProgram(chosen.model, source, asked, tools));
}

/** A page that lacks what the schema demands keeps what it has. */
const answerOf = ({ run }: SelectedValues): MadeFormat => ({
  ...asContent(run!),
  warnings: incomplete(run!),
  credits: PRICES.programReused,
});

function answerOfWritten(written: Written | undefined): MadeFormat {
  if (!written) {
    throw new ServiceError('MODEL_FAILED', { message: 'The language model wrote no selectors that fit the page.' });
  }
  return { ...asContent(written.made), warnings: incomplete(written.made), credits: PRICES.programWritten };
}

/** The page is read as for `json`. */
async function withoutProgram(
  source: CarriedSource,
  asked: AskedWithoutModel,
  tools: MakerTools,
  unfit = 'selector programs need a `schema` and an HTML page',
): Promise<MadeFormat> {
  const chosen = tools.model('extract');
  const reason = 'without' in chosen ? chosen.without : unfit;
  const made = await jsonWithoutModel('deterministicJson', source, asked, tools, reason);
  return 'json' in made.content ? { ...made, credits: PRICES.programReused } : made;
}

interface Written {
  program: SelectorProgram;
  made: TriedProgram;
}

/** The model may correct its program once. Undefined if it gives none that selects anything. */
async function writeProgram(
  model: LanguageModel,
  source: CarriedSource,
  { schema, prompt }: Asked,
  { work, signal }: MakerTools,
  doubts?: Judged['doubts'],
): Promise<Written | undefined> {
  const room = model.contextTokens - 1.5 * Math.min(model.maxOutputTokens, model.contextTokens / 3) - OVERHEAD_TOKENS;
  const schemaText = JSON.stringify(schema);
  const page = await work.json.outline(
    { html: source.html, url: source.url },
    Math.max(MIN_PAGE_TOKENS, Math.floor(room - estimateTokens(schemaText))),
  );
  const material = { ...(prompt && { request: prompt }), schema: schemaText, page };
  const ask = async (more: Record<string, string>): Promise<Written | undefined> => {
    const instructions = programInstructions({ hasPrompt: prompt !== undefined, isRepair: 'problems' in more });
    const answer = await model.object({
      instructions,
      material: { ...material, ...more },
      schema: PROGRAM_SCHEMA,
      signal,
    });
    const program = readProgram(answer.value);
    return program && { program, made: await work.json.tryProgram(schema, program, source) };
  };
  const first = await ask(doubts ? repairOf(doubts.program, doubts.problems) : {});
  if (first?.made.problems.length === 0) return first;
  const second = await ask(repairOf(first?.program ?? {}, first ? first.made.problems : ['It is not a program.']));
  return [second, first]
    .filter((each) => each?.made.value !== undefined)
    .sort((a, b) => a!.made.problems.length - b!.made.problems.length)[0];
}

const repairOf = (program: object, problems: readonly string[]): Record<string, string> => ({
  program: JSON.stringify(program),
  problems: problems.join('\n'),
});
