// The format `chunks`: a page in pieces for a search index; and the pieces that searches return.
import { z } from 'zod';

export const chunk = z.lazy(() =>
  z.object({
    id: z.string().describe('The same as long as the URL, the headings and the text are.'),
    headings: z.array(z.string()).describe('The headings that it stands under, the strongest first.'),
    context: z.string().describe('The title of the page and the headings, joined by ` > `.'),
    text: z
      .string()
      .describe(
        'The slice of the Markdown, where a table or code goes on with its header row or its fences, without empty lines around it.',
      ),
    tokens: z.int().describe('An estimate of how many tokens the text has. Tokenizers differ.'),
    start: z.int().describe('Offset in the Markdown of the page, in UTF-16 units.'),
    end: z.int(),
    page: z.int().optional().describe('The page on which it begins, for PDFs.'),
    oversized: z
      .literal(true)
      .optional()
      .describe('It has more tokens than asked for, because it is one row, item or word, which is never cut.'),
    embedding: z
      .array(z.number())
      .optional()
      .describe('What it says as a vector, made of `context` and `text`; with `embeddings`.'),
    embeddingModel: z
      .string()
      .optional()
      .describe('The model that made the vector. Vectors of different models cannot be compared.'),
    previousId: z.string().optional(),
    nextId: z.string().optional(),
  }),
);

export type Chunk = z.output<typeof chunk>;

/** A chunk of a found page, as searches return it. */
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
