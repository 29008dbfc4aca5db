// Rerankers as Jina, Cohere and TEI are asked: each is a rerank of the service under other names.
import { z } from 'zod';
import type { ServiceError } from '../../contracts/errors/errors.ts';
import { MAX_DOCUMENTS } from '../../contracts/search/rerank.ts';
import { validate } from '../../contracts/validate/validate.ts';
import { readVersion } from '../../runtime/version.ts';
import type { DialectAnswer, DialectRequest, DialectTable, Trawl } from '../dialect.ts';
import { cutQuery } from '../shared/cut-query.ts';
import { errorText } from '../shared/error-text.ts';
import { ignoredFields } from '../shared/ignored-fields.ts';
import { isYes, objectOf } from '../shared/sent-fields.ts';

const MAX_QUERY = 20_000;
/** About as many tokens of a text are read for its meaning. */
const MAX_INPUT_TOKENS = 256;

const query = z.string({ error: '`query` is missing: send what the documents are ranked by.' }).max(MAX_QUERY);
const yes = z.unknown().transform(isYes).optional();

const jinaFields = z.object({
  model: z.string().max(256).optional().describe('Any name. There is one model.'),
  query,
  documents: z
    .array(z.unknown(), { error: '`documents` is missing: send the list of texts to rank.' })
    .max(MAX_DOCUMENTS, `At most ${MAX_DOCUMENTS} documents can be ranked at once.`)
    .describe('Texts, or objects with `text`.'),
  top_n: z.coerce.number().int().min(1).optional().describe('Maximum number of results. Absent: all.'),
  return_documents: yes.describe(
    'Adds the text to each result; by default only for models whose name begins with jina.',
  ),
});

const teiFields = z.object({
  query,
  texts: z.array(z.string()).max(MAX_DOCUMENTS, `At most ${MAX_DOCUMENTS} texts can be ranked at once.`),
  raw_scores: yes,
  return_text: yes,
});

export const rerank: DialectTable = {
  routes: [
    {
      methods: ['POST'],
      paths: ['', '/rerank'],
      summary: 'Rank documents by a query',
      call: 'rerank',
      takes: jinaFields.partial().extend({ texts: teiFields.shape.texts.optional().describe('As TEI is asked.') }),
      returns:
        'As Jina and Cohere answer; with `texts`, a list of `index` and `score` as TEI does. The best first, from 0 to 1.',
      answer: (request, trawl) =>
        objectOf(request.body).texts === undefined ? rankDocuments(request, trawl) : rankTexts(request, trawl),
    },
    {
      methods: ['GET'],
      paths: ['/info'],
      summary: 'Describe the model',
      returns: 'What TEI says about a reranker.',
      answer: describeModel,
    },
  ],
  // LlamaIndex reads `detail`, Cohere `message`, clients of TEI the other two.
  writeError: (error) => {
    const text = errorText(error);
    return { body: { detail: text, message: text, error: text, error_type: errorType(error) } };
  },
};

async function rankDocuments({ body }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { model, query: sent, documents, top_n, return_documents } = validate(jinaFields, body);
  const { query, warning } = cutQuery(sent);
  const isReturned = return_documents ?? /^jina/i.test(model ?? '');
  const ranked = await trawl.call('rerank', {
    body: { query, model, documents, ...(top_n !== undefined && { top_n }), return_documents: isReturned },
  });
  const { success: _success, creditsUsed: _credits, ...answer } = ranked;
  return { body: answer, warnings: [warning] };
}

async function rankTexts({ body }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { query: sent, texts, return_text: isReturned = false, raw_scores } = validate(teiFields, body);
  const { query, warning } = cutQuery(sent);
  const { results } = await trawl.call('rerank', { body: { query, documents: texts } });
  const warnings = [warning, ignoredFields({ raw_scores: raw_scores || undefined })];
  return {
    body: results.map(({ index, relevance_score: score }) => ({
      ...{ index, score, ...(isReturned && { text: texts[index]! }) },
    })),
    warnings,
  };
}

/** Dify asks for it before the first rerank. */
function describeModel(): DialectAnswer {
  return {
    body: {
      model_id: 'trawl',
      model_type: { reranker: { id2label: { '0': 'LABEL_0' }, label2id: { LABEL_0: 0 } } },
      max_input_length: MAX_INPUT_TOKENS,
      max_client_batch_size: MAX_DOCUMENTS,
      auto_truncate: true,
      version: readVersion(),
    },
  };
}

function errorType({ status }: ServiceError): string {
  if (status === 429) return 'Overloaded';
  return status < 500 ? 'Validation' : 'Backend';
}
