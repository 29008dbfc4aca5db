// Port: what callers say about what they got. Each request can be rated once, by its own team.
import type { RatedEndpoint } from '../contracts/feedback.ts';

export interface NewFeedback {
  id: string;
  teamId: string;
  endpoint: RatedEndpoint;
  /** The search, scrape or map it is about. */
  requestId: string;
  /** As it was sent and validated. */
  content: unknown;
  now: number;
}

export interface FeedbackStore {
  /** The id under which it is kept: that of the earlier one if the request was rated before. Undefined: no such request. */
  add(feedback: NewFeedback): Promise<{ id: string; isFirst: boolean } | undefined>;
}
