// A resource as a page: assistants that cannot read resources scrape the URIs that answers link to.
import { fitAnswer } from '../../answer/fit-answer.ts';
import { invalidArgument } from '../../input/invalid-argument.ts';
import { findResource } from '../../resources/resources.ts';
import type { ToolAnswer, ToolContext } from '../../tool.ts';

/** A text becomes longer as JSON. What is read has to fit, because it ends with the URI of the next part. */
const JSON_GROWTH = 4 / 3;

export const isResource = (url: string): boolean => url.startsWith('trawl://');

export async function resourcePage(uri: string, context: ToolContext): Promise<ToolAnswer> {
  const { api, signal, maxAnswer } = context;
  const found = findResource(uri);
  if (!found) throw invalidArgument(`There is no resource ${uri.slice(0, 200)}. Use a URI that an answer linked to.`);
  const room = Math.floor(maxAnswer / JSON_GROWTH);
  const texts = await found.kind.read(found.variables, { api, signal, maxAnswer: room });
  const markdown = texts.map(({ text }) => text).join('\n\n');
  return fitAnswer({ markdown, metadata: { url: uri } }, { maxAnswer });
}
