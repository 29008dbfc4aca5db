// The format `json`: the page as the caller's schema describes it.

import type { LanguageModel } from '../../models/language-model.ts';
import type { CarriedSource, MadeFormat } from '../../page/understanding.ts';
import type { FormatMaker, MakerTools } from '../format-maker.ts';
import type { AskedJson } from '../json/extract/extract.ts';
import type { CheckedJson } from '../json/json-work.ts';
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
  return { ...asContent(made), warnings: [...warnings, ...incomplete(made)] };
}

/** From the page's own data. The warning names what the page does not say in a form that programs can read. */
export async function jsonWithoutModel(
  name: string,
  source: CarriedSource,
  { schema, prompt }: AskedJson,
  { work }: MakerTools,
  reason: string,
): Promise<MadeFormat> {
  const made = schema ? await work.json.fill(schema, source) : await work.json.describe(source);
  const warnings = [madeWithoutModel(name, reason)];
  if (made.value === undefined) {
    const what = schema
      ? 'None of the fields was found in the data of the page.'
      : 'The page has no data of its own, and only a language model can follow a `prompt`.';
    return { content: {}, warnings: [...warnings, `\`json\` is missing. ${what}`] };
  }
  if (prompt !== undefined) {
    warnings.push(
      schema
        ? 'The `prompt` was ignored: only the `schema` was used.'
        : 'The `prompt` was ignored: `json` is what the data of the page says. Send a `schema` to name the fields.',
    );
  }
  return { ...asContent(made), warnings: [...warnings, ...incomplete(made)] };
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
