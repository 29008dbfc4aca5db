// firecrawl_query: SQL over what the service has stored.
import { z } from 'zod';
import { MAX_SQL_LENGTH } from '../../../contracts/query/query.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { optional, required } from '../../input/lenient.ts';
import { tool } from '../../tool.ts';
import { READS_SERVICE } from '../annotations.ts';
import { anyRecord, output } from '../output.ts';

export const query = tool({
  name: 'firecrawl_query',
  title: 'Ask stored pages with SQL',
  description:
    'Runs one read-only SELECT over the pages that were fetched before: counts, lists and joins of pages, versions, links, ' +
    'chunks and checks. Without `sql`, it lists the tables and columns. To find pages by words use firecrawl_search.',
  input: z.object({
    sql: optional(required(z.string().max(MAX_SQL_LENGTH)).describe('One SELECT; add LIMIT.')),
  }),
  output: output({ data: anyRecord().optional() }),
  annotations: READS_SERVICE,
  async run({ sql }, { api, signal, maxAnswer }) {
    if (sql === undefined) return fitAnswer(await api.call('querySchema', { signal }), { maxAnswer });
    return fitAnswer(await api.call('query', { body: { sql }, signal }), {
      maxAnswer,
      advice: 'To see others, name fewer columns, or add LIMIT and conditions.',
    });
  },
});
