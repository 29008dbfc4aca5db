// Answers a question from the web: search, read the best pages, answer from the chunks that fit, with citations. Loaded with the
// first answer.
import type { Download } from '../../archive/download.ts';
import type { AnswerRequest, AnswerResponse } from '../../contracts/answer/answer.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { PRICES } from '../../contracts/prices.ts';
import type { SentenceVectors } from '../../encoders/encoders.ts';
import { answerPages } from '../../understand/answer/answer-pages.ts';
import { type Answered, NOT_SAID } from '../../understand/answer/answered.ts';
import { startDeadline } from '../../util/abort.ts';
import { uuidv7 } from '../../util/ids.ts';
import type { Call } from '../call.ts';
import { anonymous, type Caller } from '../caller.ts';
import { charged } from '../charged.ts';
import { openSearchChecks } from '../search/check-results.ts';
import type { SearchDeps } from '../search/search.ts';
import { answerEvents, type OnProgress } from './answer-events.ts';
import { type AnswerSources, findPages, searchFor } from './find-pages.ts';

export interface AnswerDeps extends SearchDeps {
  sentences: Pick<SentenceVectors, 'encode' | 'unavailable'>;
}

const OUT_OF_TIME = 'The answer was not ready within its `timeout`. Raise `timeout`, or lower `limit`.';
const NOTHING_FOUND = 'The search found no page that could be read.';
/** The share of the time that is left for answering when pages are slow, and the most of it. */
const ANSWERING = { share: 0.4, mostMs: 15_000 };

export async function answer(
  deps: AnswerDeps,
  { caller, body, baseUrl }: Call<'answer'>,
): Promise<AnswerResponse | Download> {
  if (!body.stream) return answerQuestion(deps, caller, body, baseUrl, () => {});
  return answerEvents((onProgress, until) => {
    const listening = { ...caller, signal: AbortSignal.any([caller.signal, until]) };
    return answerQuestion(deps, listening, body, baseUrl, onProgress);
  });
}

async function answerQuestion(
  deps: AnswerDeps,
  sender: Caller,
  request: AnswerRequest,
  baseUrl: string,
  onProgress: OnProgress,
): Promise<AnswerResponse> {
  const began = deps.clock.now();
  const id = uuidv7(began);
  const { enterprise, query, timeout, limit } = request;
  const asked = searchFor(request);
  const isTraceless = request.zeroDataRetention || enterprise.includes('zdr');
  const isAnonymous = enterprise.includes('anon');
  const caller = isAnonymous ? anonymous(sender) : sender;
  const threatChecks = await openSearchChecks(deps, caller, asked, { isTraceless: isTraceless || isAnonymous });
  const terms = { operation: 'search', cost: PRICES.answer, threatCheck: threatChecks } as const;
  return charged(deps, caller, terms, async ({ charge }) => {
    const outOfTime = () => new ServiceError('SCRAPE_TIMEOUT', { message: OUT_OF_TIME });
    const time = startDeadline(timeout, outOfTime, caller.signal);
    const timed = { ...caller, signal: time.signal };
    try {
      const ends = began + timeout;
      const partOf = { operation: 'search' as const, ...(!isTraceless && { job: id }) };
      const found = await findPages(deps, timed, asked, {
        ...{ limit, partOf, threatChecks, isTraceless, baseUrl, onProgress },
        ends: ends - Math.min(ANSWERING.mostMs, ANSWERING.share * timeout),
      });
      onProgress({ step: 'answering', pages: found.pages.length });
      const made = await answerFrom(deps, timed, query, found, {
        ends,
        isPrivate: isTraceless || asked.scrapeOptions.lockdown,
      });
      const price = (made.answer === null ? 0 : PRICES.answer) + made.credits + threatChecks.credits();
      const target = isAnonymous ? undefined : query;
      const credits = await charge(price, { id, isStored: !isTraceless, target });
      const notes = [...found.warnings, ...threatChecks.warnings(), ...made.warnings];
      return {
        success: true,
        id,
        creditsUsed: credits + found.credits,
        ...(notes.length > 0 && { warning: notes.join(' ') }),
        data: {
          answer: made.answer,
          citations: made.citations,
          pages: found.pages.map(({ url, title }) => ({ url, ...(title && { title }) })),
        },
      };
    } finally {
      time.done();
    }
  });
}

/** `credits`: by the operator's price of the model's tokens. */
async function answerFrom(
  { understander, sentences, clock }: AnswerDeps,
  { team, signal }: Caller,
  query: string,
  { pages }: AnswerSources,
  { isPrivate, ends }: { isPrivate: boolean; ends: number },
): Promise<Answered & { credits: number }> {
  if (pages.length === 0) return { ...NOT_SAID, warnings: [NOTHING_FOUND], credits: 0 };
  const spending = { tokens: 0, credits: 0 };
  const asker = { team: team.id, deadline: ends };
  const made = await answerPages(query, pages, {
    ...understander.tools({ asker, isPrivate, spending }, signal),
    leftMs: () => ends - clock.now(),
    async encode(texts) {
      if (sentences.unavailable() !== undefined) return undefined;
      return sentences.encode(texts, asker, signal).catch(() => {
        signal.throwIfAborted();
        return undefined;
      });
    },
  });
  return { ...made, credits: Math.ceil(spending.credits) };
}
