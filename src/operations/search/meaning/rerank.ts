// Ranks documents that the caller sends by a query: by the words that they share with it, and by their meaning. Nothing is stored.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { rerankPrice } from '../../../contracts/prices.ts';
import type { RerankRequest, RerankResponse } from '../../../contracts/search/rerank.ts';
import type { SentenceVectors } from '../../../encoders/encoders.ts';
import { estimateTokens } from '../../../text/estimate-tokens.ts';
import { cosine } from '../../../text/text-vectors.ts';
import { startDeadline } from '../../../util/abort.ts';
import type { Clock } from '../../../util/clock.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { Call } from '../../call.ts';
import type { Caller } from '../../caller.ts';
import { type AccountingDeps, charged } from '../../charged.ts';
import { wordShares } from './word-shares.ts';

export interface RerankDeps extends AccountingDeps {
  sentences: Pick<SentenceVectors, 'encode' | 'name'>;
  clock: Clock;
}

const LIMIT_MS = 60_000;
const OUT_OF_TIME = `Ranking took more than ${LIMIT_MS / 1_000} seconds. Send fewer documents, or try again later.`;
/** Spreads the scores over 0 to 1: `middle` is where a document may be about the query or not. */
const SPREAD = { middle: 0.2, slope: 12 };
const DIGITS = 6;
/** Characters of a document: more than its meaning is read from. */
const MAX_READ = 4_000;

export const rerank = (deps: RerankDeps, { caller, body }: Call<'rerank'>): Promise<RerankResponse> =>
  charged(deps, caller, { operation: 'search', cost: rerankPrice(body.documents.length) }, async ({ charge }) => {
    const { documents, model = deps.sentences.name, query } = body;
    const whole = documents.map((document) => (typeof document === 'string' ? document : document.text));
    const texts = whole.map((text) => text.slice(0, MAX_READ));
    const scores = texts.length === 0 ? [] : await score(deps, caller, query, texts);
    const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), estimateTokens(query));
    const units = rerankPrice(texts.length);
    return {
      success: true,
      id: uuidv7(deps.clock.now()),
      object: 'list',
      model,
      results: best(scores, body).map(({ index, score }) => ({
        index,
        relevance_score: Number(score.toFixed(DIGITS)),
        ...(body.return_documents && { document: { text: whole[index]! } }),
      })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
      meta: { api_version: { version: '2' }, billed_units: { search_units: units } },
      creditsUsed: await charge(units),
    };
  });

async function score({ sentences, clock }: RerankDeps, { team, signal }: Caller, query: string, texts: string[]) {
  const time = startDeadline(LIMIT_MS, () => new ServiceError('SCRAPE_TIMEOUT', { message: OUT_OF_TIME }), signal);
  try {
    const asker = { team: team.id, deadline: clock.now() + LIMIT_MS };
    const [wanted, ...vectors] = await sentences.encode([query, ...texts], asker, time.signal);
    const words = await wordShares(query, texts);
    return vectors.map((vector, at) => spread((words[at]! + cosine(wanted!, vector)) / 2));
  } finally {
    time.done();
  }
}

const spread = (score: number): number => 1 / (1 + Math.exp(SPREAD.slope * (SPREAD.middle - score)));

const best = (scores: readonly number[], { top_n: most = scores.length }: RerankRequest) =>
  scores
    .map((score, index) => ({ score, index }))
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, most);
