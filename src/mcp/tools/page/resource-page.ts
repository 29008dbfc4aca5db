// A resource as a page: assistants that cannot read resources scrape the URIs that answers link to.
import { fitAnswer } from '../../answer/fit-answer.ts';
import { invalidArgument } from '../../input/invalid-argument.ts';
import { findResource } from '../../resources/resources.ts';
import type { ToolAnswer, ToolContext } from '../../tool.ts';

/** A text becomes longer as JSON, in most cases by less than this. */
const JSON_GROWTH = 4 / 3;
/** A text that is JSON itself has many quotes, each of which becomes two characters. */
const DENSE_GROWTH = 2.1;

export const isResource = (url: string): boolean => url.startsWith('trawl://');

export async function resourcePage(uri: string, context: ToolContext): Promise<ToolAnswer> {
  const { api, signal, maxAnswer } = context;
  const found = findResource(uri);
  if (!found) throw invalidArgument(`There is no resource ${uri.slice(0, 200)}. Use a URI that an answer linked to.`);
  const pageOf = async (growth: number) => {
    const texts = await found.kind.read(found.variables, { api, signal, maxAnswer: Math.floor(maxAnswer / growth) });
    return { markdown: texts.map(({ text }) => text).join('\n\n'), metadata: { url: uri } };
  };
  const page = await pageOf(JSON_GROWTH);
  // What is read has to fit, because it ends with the URI of the next part.
  const isWhole = JSON.stringify(page).length <= maxAnswer;
  return fitAnswer(isWhole ? page : await pageOf(DENSE_GROWTH), { maxAnswer });
}
