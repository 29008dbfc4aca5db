// Stores a caller's rating of an answer, once per answer.
import { ServiceError } from '../contracts/errors.ts';
import type { FeedbackRequest, FeedbackResponse, RatedEndpoint, SearchFeedbackRequest } from '../contracts/feedback.ts';
import type { FeedbackStore } from '../store/feedback-store.ts';
import type { Clock } from '../util/clock.ts';
import { isUuid, uuidv7 } from '../util/ids.ts';
import type { Caller } from './caller.ts';

export interface FeedbackDeps {
  feedback: Pick<FeedbackStore, 'add'>;
  clock: Pick<Clock, 'now'>;
}

export const rateSearch = (
  deps: FeedbackDeps,
  caller: Caller,
  id: string,
  content: SearchFeedbackRequest,
): Promise<FeedbackResponse> => rate(deps, caller, { endpoint: 'search', id, content });

export const rateAny = (deps: FeedbackDeps, caller: Caller, request: FeedbackRequest): Promise<FeedbackResponse> =>
  rate(deps, caller, { endpoint: request.endpoint, id: request.jobId, content: request });

async function rate(
  { feedback, clock }: FeedbackDeps,
  { team }: Caller,
  { endpoint, id, content }: { endpoint: RatedEndpoint; id: string; content: unknown },
): Promise<FeedbackResponse> {
  if (!isUuid(id)) throw new ServiceError('INVALID_JOB_ID');
  const now = clock.now();
  const kept = await feedback.add({ id: uuidv7(now), teamId: team.id, endpoint, requestId: id, content, now });
  if (!kept) throw new ServiceError('JOB_NOT_FOUND', { message: `There is no ${endpoint} with this ID to rate.` });
  return {
    success: true,
    feedbackId: kept.id,
    creditsRefunded: 0,
    ...(!kept.isFirst && { alreadySubmitted: true }),
  };
}
