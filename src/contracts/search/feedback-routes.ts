// The routes for ratings of answers.

import { JOB_ERRORS } from '../errors/route-errors.ts';
import { feedbackRequest, feedbackResponse, searchFeedbackRequest } from './feedback.ts';

const FEEDBACK_ERRORS = [
  ...JOB_ERRORS,
  'SEARCH_NOT_FOUND',
  'FEEDBACK_WINDOW_EXPIRED',
  'TEAM_OPTED_OUT',
  'KEYLESS_LIMIT_REACHED',
] as const;

export const FEEDBACK_ROUTES = {
  searchFeedback: {
    method: 'POST',
    path: '/v2/search/:id/feedback',
    summary: 'Rate a search',
    request: searchFeedbackRequest,
    response: feedbackResponse,
    fetches: false,
    fails: FEEDBACK_ERRORS,
  },
  feedback: {
    method: 'POST',
    path: '/v2/feedback',
    summary: 'Rate a search, a scrape or a map',
    request: feedbackRequest,
    response: feedbackResponse,
    fetches: false,
    fails: FEEDBACK_ERRORS,
  },
} as const;
