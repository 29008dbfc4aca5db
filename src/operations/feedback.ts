// Stores a caller's rating of an answer, once per answer. Errors carry `feedbackErrorCode`, where clients look for the code.
import { type ErrorCode, ServiceError } from '../contracts/errors/errors.ts';
import type { FeedbackResponse, RatedEndpoint } from '../contracts/search/feedback.ts';
import type { FeaturesOf } from '../policy/features.ts';
import type { FeedbackStore } from '../store/ports/teams/feedback-store.ts';
import type { Clock } from '../util/clock.ts';
import { isUuid, timeOfUuid, uuidv7 } from '../util/ids.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';

interface FeedbackDeps {
  feedback: Pick<FeedbackStore, 'add'>;
  featuresOf: FeaturesOf;
  clock: Pick<Clock, 'now'>;
}

/** How long a request can be rated, because it is stored no longer. */
const WINDOW_MS = 24 * 3_600_000;

export const searchFeedback = (
  deps: FeedbackDeps,
  { caller, params, body }: Call<'searchFeedback'>,
): Promise<FeedbackResponse> => rate(deps, caller, { endpoint: 'search', id: params.id, content: body });

export const feedback = (deps: FeedbackDeps, { caller, body }: Call<'feedback'>): Promise<FeedbackResponse> =>
  rate(deps, caller, { endpoint: body.endpoint, id: body.jobId, content: body });

async function rate(
  { feedback, featuresOf, clock }: FeedbackDeps,
  { team }: Caller,
  { endpoint, id, content }: { endpoint: RatedEndpoint; id: string; content: unknown },
): Promise<FeedbackResponse> {
  if (!isUuid(id)) throw new ServiceError('INVALID_JOB_ID');
  // A rating quotes queries and pages, of which such a team stores nothing.
  const { zeroDataRetention, anonymous } = featuresOf(team);
  if (zeroDataRetention === 'forced' || anonymous === 'forced') throw refused('TEAM_OPTED_OUT');
  const now = clock.now();
  const kept = await feedback
    .add({ id: uuidv7(now), teamId: team.id, endpoint, requestId: id, content, now })
    .catch((error) => {
      throw isUnavailable(error) ? refused('STORAGE_UNAVAILABLE', error) : error;
    });
  if (!kept) throw notRatable(endpoint, id, now);
  return {
    success: true,
    feedbackId: kept.id,
    ...{ creditsRefunded: 0, creditsRefundedToday: 0, dailyRefundCap: 0 },
    ...(!kept.isFirst && { alreadySubmitted: true }),
  };
}

/** IDs say when they were made, so a request that is forgotten can be told from one that never was. */
function notRatable(endpoint: RatedEndpoint, id: string, now: number): ServiceError {
  const madeAt = timeOfUuid(id);
  if (madeAt !== undefined && madeAt <= now - WINDOW_MS) return refused('FEEDBACK_WINDOW_EXPIRED');
  if (endpoint === 'search') return refused('SEARCH_NOT_FOUND');
  const message = `There is no ${endpoint} with this ID to rate.`;
  return new ServiceError('JOB_NOT_FOUND', { message, fields: { feedbackErrorCode: 'JOB_NOT_FOUND' } });
}

const isUnavailable = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';

/** The public interface calls a store that cannot be written a disabled one. */
const refused = (code: ErrorCode, cause?: ServiceError): ServiceError =>
  new ServiceError(code, {
    ...(cause && { message: cause.message, retryAfter: cause.retryAfter, cause }),
    fields: { feedbackErrorCode: code === 'STORAGE_UNAVAILABLE' ? 'DB_DISABLED' : code },
  });
