// POST /v2/rerank: request and response. The shape that clients of other rerankers send and read.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { MAX_QUERY_LENGTH } from './search.ts';

export const MAX_DOCUMENTS = 1_000;
const MAX_DOCUMENT_LENGTH = 200_000;

const text = z.string().max(MAX_DOCUMENT_LENGTH, `A document may have at most ${MAX_DOCUMENT_LENGTH} characters.`);

export const rerankRequest = z.object({
  query: z
    .string('`query` is missing: send the question or the words that the documents are ranked by.')
    .trim()
    .min(1, '`query` is empty.')
    .max(MAX_QUERY_LENGTH, `\`query\` must have at most ${MAX_QUERY_LENGTH} characters.`)
    .describe('What the documents are ranked by: a question, or words.'),
  documents: z
    .array(z.union([text, z.object({ text: text.describe('The text.') })]))
    .max(MAX_DOCUMENTS, `At most ${MAX_DOCUMENTS} documents can be ranked at once.`)
    .describe(
      'The texts. The meaning of each is read from about its first 200 words, its words from the first 4,000 characters.',
    ),
  top_n: z.int().min(1).optional().describe('Maximum number of results. Absent: all documents.'),
  return_documents: z.boolean().default(false).describe('Adds the text of each document to its result.'),
  model: nameText.optional().describe('Any name: it is returned as it was sent. There is one model.'),
});
export type RerankRequest = z.output<typeof rerankRequest>;

export const rerankResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    object: z.literal('list'),
    model: z.string().describe('As sent, else the name of the model.'),
    results: z
      .array(
        z.object({
          index: z.int().describe('Position in `documents`.'),
          relevance_score: z
            .number()
            .describe('From 0 to 1. Rare words count more, and which are rare is told from the documents.'),
          document: z.object({ text: z.string() }).optional(),
        }),
      )
      .describe('The best first.'),
    usage: z
      .object({ prompt_tokens: z.int(), total_tokens: z.int() })
      .describe('An estimate, from the length of the texts.'),
    meta: z.object({
      api_version: z.object({ version: z.literal('2') }),
      billed_units: z.object({ search_units: z.int().describe('One for every hundred documents begun.') }),
    }),
    creditsUsed: z.int(),
  }),
);
export type RerankResponse = z.output<typeof rerankResponse>;
