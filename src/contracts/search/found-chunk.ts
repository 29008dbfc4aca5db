// A piece of a found page, as searches return it with `returns: "chunks"`.
import { z } from 'zod';

export const returns = z
  .enum(['pages', 'chunks'])
  .default('pages')
  .describe('`chunks`: adds the chunks of the found pages that fit the query best, as `data.chunks`.');

export const foundChunk = z.lazy(() =>
  z.object({
    url: z.string().describe('The page.'),
    title: z.string(),
    id: z.string().describe('The same as long as the URL, the headings and the text are.'),
    headings: z.array(z.string()).describe('The headings that it stands under, the strongest first.'),
    text: z.string(),
    tokens: z.int().describe('An estimate of how many tokens the text has.'),
    score: z.number().describe('1 for the best chunk of an answer. Scores of different answers cannot be compared.'),
  }),
);

export type FoundChunk = z.output<typeof foundChunk>;
