// `trawl search QUERY`: results as a list to read, with their content if formats are asked for.
import type { ResponseOf } from '../../../contracts/route-types.ts';
import type { CommandBody } from '../../command.ts';
import { openDocumentOutput } from '../../documents/document-output.ts';
import { putResult } from '../../output/one-result.ts';
import { OUTPUT_FLAG, targetOf } from '../../output/output-flag.ts';
import { type FoundItem, resultList, resultPage } from '../../output/search-text.ts';
import { UsageError } from '../../usage-error.ts';

export const search: CommandBody = {
  usage: 'QUERY',
  call: 'search',
  lifted: ['scrapeOptions'],
  without: ['query'],
  common: ['limit', 'sources', 'categories', 'country', 'lang', 'tbs', 'includeDomains', 'formats'],
  flags: { output: OUTPUT_FLAG },
  examples: [
    'trawl search embedded databases --limit 5',
    'trawl search "site:example.com prices" --formats markdown -o results/',
    'trawl search "elections" --sources news --tbs qdr:d',
  ],
  async run(invocation) {
    const { args, body, flags, screen, signal } = invocation;
    // Several words are one query, as in a search box.
    const query = args.join(' ').trim();
    if (query === '') throw new UsageError('There is no query. Usage: trawl search QUERY');
    const session = await invocation.connect();
    const answer = await session.api.call('search', { body: { ...body, query } as never, signal });
    const found = itemsOf(answer);
    if (targetOf(flags.output).kind === 'folder') {
      const output = await openDocumentOutput(flags.output as string, screen, session.api);
      for (const item of found) await output.write(resultPage(item));
      screen.note(`${found.length} results are in ${output.path}`);
    } else if (found.length > 0 || screen.json) {
      await putResult({ document: { markdown: resultList(found) }, answer }, invocation, session);
    }
    if (answer.warning) screen.note(answer.warning);
    if (found.length === 0) screen.note('Nothing was found.');
    return undefined;
  },
};

/** Results of all sources, in the order of the answer; or their chunks. */
const itemsOf = ({ data }: ResponseOf<'search'>): FoundItem[] =>
  data.chunks?.map(({ url, title, text }) => ({ url, title, description: text })) ?? [
    ...(data.web ?? []),
    ...(data.news ?? []),
    ...(data.images ?? []),
  ];
