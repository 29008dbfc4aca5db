// `trawl answer QUESTION`: an answer from the pages that a search finds, with its sources below.
import type { ResponseOf } from '../../../contracts/route-types.ts';
import type { CommandBody } from '../../command.ts';
import { putResult } from '../../output/one-result.ts';
import { OUTPUT_FLAG } from '../../output/output-flag.ts';
import { safeLine } from '../../output/safe-text.ts';
import { UsageError } from '../../usage-error.ts';

export const answer: CommandBody = {
  usage: 'QUESTION',
  call: 'answer',
  lifted: ['scrapeOptions'],
  without: ['query', 'stream'],
  common: ['limit', 'country', 'lang', 'tbs', 'includeDomains', 'timeout'],
  flags: { output: OUTPUT_FLAG },
  examples: [
    'trawl answer When does the harbour museum open',
    'trawl answer "Which port is the default?" --include-domains postgresql.org',
  ],
  async run(invocation) {
    const { args, body, screen, signal } = invocation;
    const query = args.join(' ').trim();
    if (query === '') throw new UsageError('There is no question. Usage: trawl answer QUESTION');
    const session = await invocation.connect();
    const answered = await session.api.call('answer', { body: { ...body, query } as never, signal });
    if (answered.data.answer !== null || screen.json) {
      await putResult({ document: { markdown: written(answered) }, answer: answered }, invocation, session);
    }
    if (answered.warning) screen.note(answered.warning);
    if (answered.data.answer === null) screen.note('The pages that were read do not say it.');
    return undefined;
  },
};

function written({ data: { answer, citations } }: ResponseOf<'answer'>): string {
  const sources = citations.map(
    ({ url, title, text }, at) => `[${at + 1}] ${safeLine(title ?? url)}\n    ${url}\n    "${safeLine(text)}"`,
  );
  return [answer ?? '', ...sources].join('\n\n');
}
