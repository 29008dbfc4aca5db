// The format `json`: the page as the caller's schema describes it.

import type { LanguageModel } from '../../models/language-model.ts';
import type { CarriedSource, MadeFormat } from '../../page/understanding.ts';
import type { FormatMaker, MakerTools } from '../format-maker.ts';
import type { AskedJson } from '../json/extract/invented.ts';
import type { CheckedJson } from '../json/json-work.ts';
import { schemaOfPrompt } from '../json/prompt-fields.ts';
import type { JsonSchema } from '../json/schema/subschemas.ts';
import { madeWithoutModel } from '../without-model.ts';

export const json: FormatMaker<'json'> = async (source, format, tools) => {
  const chosen = tools.model('extract');
  if ('without' in chosen) return jsonWithoutModel('json', source, format, tools, chosen.without);
  return jsonWithModel(source, format, tools, chosen.model);
};

async function jsonWithModel(
  source: CarriedSource,
  asked: AskedJson,
  tools: MakerTools,
  model: LanguageModel,
): Promise<MadeFormat> {
  if (source.markdown.trim() === '') return { content: {}, warnings: ['`json` is missing. The page has no text.'] };
  const { extractWithModel } = await import('../json/extract/extract.ts');
  const made = await extractWithModel(model, source, asked, tools);
  const warnings = made.isCut
    ? ['`json` was made from the first part of the page: the page is too long for the model.']
    : [];
  const content = made.value === undefined ? { content: {} } : asContent(made);
  return { ...content, warnings: [...warnings, ...made.leftOut, ...incomplete(made)] };
}

export interface AskedWithoutModel extends AskedJson {
  /** How certain a value must be, 0 to 1. */
  confidence?: number;
}

const DEFAULT_CONFIDENCE = 0.5;
/** For all fields of a page: about a second of processor time. */
const MAX_RUNS = 32;

/** Rules fill what they are certain of; the reader is asked about the rest. */
async function fillWithReader(
  schema: JsonSchema,
  source: CarriedSource,
  confidence: number,
  { work, reader }: MakerTools,
): Promise<FilledByReader> {
  const { open, ...made } = await work.json.fill(schema, source, { confidence });
  if (!open) return { made, ruleWarnings: [] };
  const { paths, ...task } = open;
  const problem = reader ? reader.unavailable() : 'The reader is turned off on this server.';
  const readings = problem === undefined ? await reader!.read({ ...task, maxRuns: MAX_RUNS }) : undefined;
  if (!readings) return { made, ruleWarnings: [madeByRules(problem ?? 'The reader failed.')] };
  const answers = paths.map((path, at) => [path, readings[at]!] as const);
  const filled = await work.json.fill(schema, source, { confidence, readings: answers });
  return { made: filled, ruleWarnings: [], windowsRead: readings.reduce((sum, { read }) => sum + read, 0) };
}

interface FilledByReader {
  made: CheckedJson;
  ruleWarnings: string[];
  windowsRead?: number;
}

const madeByRules = (problem: string): string =>
  `\`json\` was made by rules alone, which leave out more than the reader does. ${problem}`;

/** From the page's own data. The warning names what the page does not say in a form that programs can read. */
export async function jsonWithoutModel(
  name: string,
  source: CarriedSource,
  { schema, prompt, confidence }: AskedWithoutModel,
  tools: MakerTools,
  reason: string,
): Promise<MadeFormat> {
  const asked = schema ?? (prompt === undefined ? undefined : schemaOfPrompt(prompt));
  const { made, ruleWarnings, windowsRead }: FilledByReader = asked
    ? await fillWithReader(asked, source, confidence ?? DEFAULT_CONFIDENCE, tools)
    : { made: await tools.work.json.describe(source), ruleWarnings: [] };
  const warnings = [madeWithoutModel(name, reason), ...ruleWarnings];
  if (made.value === undefined) {
    const what = asked
      ? 'None of the fields was found on the page.'
      : 'The page has no data of its own, and only a language model can follow such a `prompt`. Name the fields, in the `prompt` or in a `schema`.';
    return { content: {}, warnings: [...warnings, `\`json\` is missing. ${what}`], windowsRead };
  }
  if (prompt !== undefined) warnings.push(howPromptWasRead(schema, asked));
  return { ...asContent(made), warnings: [...warnings, ...incomplete(made)], windowsRead };
}

function howPromptWasRead(schema: JsonSchema | undefined, asked: JsonSchema | undefined): string {
  if (schema) return 'The `prompt` was ignored: only the `schema` was used.';
  if (asked === undefined) {
    return 'The `prompt` was ignored: `json` is what the data of the page says. Name the fields, in the `prompt` or in a `schema`.';
  }
  return `The \`prompt\` was read as the names of fields: ${Object.keys(asked.properties as object).join(', ')}.`;
}

export const asContent = ({ value, citations }: CheckedJson): Pick<MadeFormat, 'content' | 'citations'> => ({
  content: { json: value },
  citations,
});

const MAX_NAMED = 20;

/** An incomplete object is more useful than none, but must not pass for a valid one. */
export function incomplete({ problems }: CheckedJson): string[] {
  if (problems.length === 0) return [];
  const more = problems.length > MAX_NAMED ? ` and ${problems.length - MAX_NAMED} more` : '';
  return [`\`json\` does not fulfil the schema: ${problems.slice(0, MAX_NAMED).join(', ')}${more}.`];
}
