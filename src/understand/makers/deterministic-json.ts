// The format `deterministicJson`: a model writes a selector program once for a template and a schema; the program is
// verified, stored, and run again without a model.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { PRICES } from '../../contracts/prices.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { CarriedSource, MadeFormat } from '../../page/understanding.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { hashOf } from '../../util/hash.ts';
import type { FormatMaker, MakerTools } from '../format-maker.ts';
import type { AskedJson } from '../json/extract/invented.ts';
import type { CheckedJson } from '../json/json-work.ts';
import { PROGRAM_SCHEMA, readProgram, type SelectorProgram } from '../json/program/program.ts';
import { programInstructions } from '../prompts/pages/write-program.ts';
import { type AskedWithoutModel, asContent, incomplete, jsonWithoutModel } from './json.ts';

const OVERHEAD_TOKENS = 1_000;
const MIN_PAGE_TOKENS = 500;

export const deterministicJson: FormatMaker<'deterministicJson'> = async (source, format, tools) => {
  const { schema } = format;
  const { html, url } = source;
  if (!schema || !html) return withoutProgram(source, format, tools);
  const key = hashOf(await tools.work.json.template({ html, url }), schema, format.prompt ?? '');
  const stored = readStored(await withStore(tools.programs?.find(key)));
  if (stored) {
    const made = await tools.work.json.runProgram(schema, stored, source, { isNew: false });
    if (made.problems.length === 0) return { ...asContent(made), warnings: [], credits: PRICES.programReused };
  }
  const chosen = tools.model('extract');
  if ('without' in chosen) return withoutProgram(source, format, tools);
  const { program, made } = await writeProgram(chosen.model, source, { ...format, schema }, tools);
  if (made.problems.length === 0) await withStore(tools.programs?.save(key, JSON.stringify(program)));
  const warnings = made.problems.length === 0 ? [] : incomplete(made);
  return { ...asContent(made), warnings, credits: PRICES.programWritten };
};

/** A store that cannot be used costs the reuse of programs, not the answer. */
async function withStore<T>(call: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function readStored(text: string | undefined): SelectorProgram | undefined {
  return text === undefined ? undefined : readProgram(JSON.parse(text));
}

/** Nothing to select by: the page is read as for `json`. */
async function withoutProgram(source: CarriedSource, asked: AskedWithoutModel, tools: MakerTools): Promise<MadeFormat> {
  const chosen = tools.model('extract');
  const reason = 'without' in chosen ? chosen.without : 'selector programs need a `schema` and an HTML page';
  const made = await jsonWithoutModel('deterministicJson', source, asked, tools, reason);
  return 'json' in made.content ? { ...made, credits: PRICES.programReused } : made;
}

interface Written {
  program: SelectorProgram;
  made: CheckedJson;
}

/** The model may correct its program once. Throws ServiceError if it gives none that selects anything. */
async function writeProgram(
  model: LanguageModel,
  source: CarriedSource,
  { schema, prompt }: AskedJson & { schema: Record<string, unknown> },
  { work, signal }: MakerTools,
): Promise<Written> {
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
    return program && { program, made: await work.json.runProgram(schema, program, source, { isNew: true }) };
  };
  const first = await ask({});
  if (first?.made.problems.length === 0) return first;
  const problems = first ? first.made.problems.join('\n') : 'It is not a program.';
  const second = await ask({ program: JSON.stringify(first?.program ?? {}), problems });
  const better = [second, first]
    .filter((each) => each?.made.value !== undefined)
    .sort((a, b) => a!.made.problems.length - b!.made.problems.length)[0];
  if (better) return better;
  throw new ServiceError('MODEL_FAILED', { message: 'The language model wrote no selectors that fit the page.' });
}
