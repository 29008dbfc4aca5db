// The errors of what the operator looks after: a part of the one table in error-table.ts.

export const OPERATOR_ERRORS = {
  PROVIDER_NOT_FOUND: {
    status: 404,
    text: 'There is no search provider with this name, or no such purpose of a model. GET /v2/providers lists both.',
  },
  BROWSER_NOT_FOUND: {
    status: 404,
    text: 'There is no browser with this ID. It may have ended: GET /v2/health/browsers lists those that run.',
  },
} as const;
