// A live browser on a page: do something there with a prompt or with code, and close it.
import { z } from 'zod';
import { LANGUAGES } from '../../contracts/browser/execute.ts';
import { fitAnswer } from '../answer/fit-answer.ts';
import { invalidArgument } from '../input/invalid-argument.ts';
import { optional, required } from '../input/lenient.ts';
import { type ScrapeArguments, scrapeOptionsArgument, toScrapeOptions } from '../input/scrape-arguments.ts';
import { type ToolContext, tool } from '../tool.ts';
import { REPLACES } from './annotations.ts';
import { output } from './output.ts';

const text = () => optional(z.string());

export const interact = tool({
  name: 'firecrawl_interact',
  title: 'Act on a page',
  description:
    'Opens a page in a live browser and clicks, types or reads there: give url, or scrapeId of an earlier scrape, and a prompt or code (`page` is the Playwright page). Later calls with the same scrapeId go on where this one ended. Forms that are sent have real effects. Stop with firecrawl_interact_stop.',
  input: z.object({
    scrapeId: text(),
    url: text(),
    prompt: text(),
    code: text(),
    language: optional(z.enum(LANGUAGES)),
    timeout: optional(z.number().min(1).max(300).describe('Seconds. Default: 30.')),
    scrapeOptions: scrapeOptionsArgument('For url.'),
  }),
  output: output({
    scrapeId: z.string().optional(),
    output: z.string().optional(),
    result: z.string().optional(),
    stdout: z.string().optional(),
    stderr: z.string().optional(),
    exitCode: z.number().optional(),
  }),
  // What it does is up to its caller: an order that was sent cannot be taken back.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run({ scrapeId, url, scrapeOptions = {}, ...body }, context) {
    if (body.prompt === undefined && body.code === undefined) {
      throw invalidArgument('Set `prompt` to what to do on the page, or `code` to what to run there.');
    }
    const id = scrapeId ?? (await open(url, scrapeOptions, context));
    const { api, signal, maxAnswer } = context;
    const answer = await api.call('interact', { params: { id }, body, signal });
    return fitAnswer({ ...answer, scrapeId: id }, { maxAnswer, advice: 'Return less from the code.' });
  },
});

async function open(url: string | undefined, options: ScrapeArguments, context: ToolContext): Promise<string> {
  const { api, signal, report } = context;
  if (url === undefined) throw invalidArgument('Set `url` to the page, or `scrapeId` to an earlier scrape of it.');
  const { data } = await api.call('scrape', { body: { url, ...toScrapeOptions(options) }, signal });
  report({ done: 1, total: 2, message: 'The page is open.' });
  return data.metadata.scrapeId;
}

export const interactStop = tool({
  name: 'firecrawl_interact_stop',
  title: 'Close the browser of a page',
  description: 'Ends the browser session that firecrawl_interact opened for a scrape.',
  input: z.object({ scrapeId: required(z.string()) }),
  output: output({}),
  annotations: REPLACES,
  run: async ({ scrapeId: id }, { api, signal }) => ({
    structured: { ...(await api.call('stopInteraction', { params: { id }, signal })) },
  }),
});
