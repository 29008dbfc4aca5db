// The fields of Serper's searches: in JSON, or as texts in the query string.
import { z } from 'zod';
import { MAX_SEARCH_LIMIT } from '../../contracts/search/search.ts';
import type { Source } from '../../contracts/search/search-query.ts';
import { validate } from '../../contracts/validate/validate.ts';
import { cutQuery } from '../shared/cut-query.ts';
import { isYes } from '../shared/sent-fields.ts';

const MAX_QUERY = 20_000;
const MAX_NAME = 256;
const MAX_PAGE = 100;

const name = z.union([z.string(), z.number()]).transform(String).pipe(z.string().max(MAX_NAME));

export const searchFields = z.object({
  q: z.string({ error: 'Missing query parameter: set `q`.' }).trim().min(1, '`q` is empty.').max(MAX_QUERY),
  gl: name.optional().describe('Country.'),
  hl: name.optional().describe('Language.'),
  num: z.coerce.number().int().min(1).max(MAX_SEARCH_LIMIT).default(10),
  page: z.coerce.number().int().min(1).max(MAX_PAGE).default(1),
  tbs: name.optional().describe('For example qdr:w.'),
  location: name.optional(),
  safe: z
    .union([z.string().max(MAX_NAME), z.boolean()])
    .optional()
    .describe('`active` asks to filter adult content.'),
  autocorrect: z.unknown().optional(),
  type: name.optional(),
});

export interface SerperSearch {
  /** As it was sent, for the answer. */
  parameters: Record<string, unknown>;
  search: Record<string, unknown>;
  skip: number;
  limit: number;
  warning?: string;
}

/** Throws BAD_REQUEST. */
export function readSearch(sent: Record<string, unknown>, source: Source): SerperSearch {
  const fields = validate(searchFields, sent);
  const { q, num, page, gl, hl, tbs, location, safe } = fields;
  const { query, warning } = cutQuery(q);
  const known = Object.keys(searchFields.shape).filter((field) => field in sent);
  const type = source === 'web' ? 'search' : source;
  return {
    parameters: { ...Object.fromEntries(known.map((field) => [field, sent[field]])), type, engine: 'google' },
    search: {
      ...{ query, country: gl, lang: hl, tbs, location, sources: [source] },
      ...(safe !== undefined && { safe: safe === 'active' || isYes(safe) }),
    },
    skip: (page - 1) * num,
    limit: page * num,
    ...(warning !== undefined && { warning }),
  };
}
