// Port: feedback on requests. Each request can be rated once, by its own team.
import type { RatedEndpoint } from '../../../contracts/search/feedback.ts';

export interface NewFeedback {
  id: string;
  teamId: string;
  endpoint: RatedEndpoint;
  /** The rated search, scrape or map. */
  requestId: string;
  /** As sent and validated. */
  content: unknown;
  now: number;
}

export interface FeedbackStore {
  /**
   * Returns the id of the stored feedback: the earlier one if the request was already rated. Undefined if the request
   * is unknown.
   */
  add(feedback: NewFeedback): Promise<{ id: string; isFirst: boolean } | undefined>;
}
