// The error responses of the OpenAPI description, by status, and the schemas of their bodies.
import { STATUS_CODES } from 'node:http';
import { ERROR_TABLE, type ErrorCode, type ErrorStyle, sentCode } from '../../src/contracts/errors/errors.ts';
import { routeErrors } from '../../src/contracts/errors/route-errors.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import type { Json } from './json-schema.ts';

const sentCodes = (codes: readonly ErrorCode[]): ErrorCode[] => [
  ...new Set(codes.flatMap((code) => sentCode(code) ?? [])),
];

type Style = ErrorStyle | 'plain';

/** By the style of a route's errors: the schema, and how the names of its responses begin. */
const STYLES = {
  plain: { schema: 'Error', prefix: '' },
  detailed: { schema: 'DetailedError', prefix: 'Detailed' },
  oauth: { schema: 'OAuthError', prefix: 'OAuth' },
} satisfies Record<Style, { schema: string; prefix: string }>;

const responseName = (style: Style, status: number): string =>
  STYLES[style].prefix + STATUS_CODES[status]!.replaceAll(/\W/g, '');

/** One response per status, with the codes that it can have. */
export function errorResponses(route: Route): Record<string, { $ref: string; description: string }> {
  const { errorStyle = 'plain' } = route;
  const byStatus = Map.groupBy(routeErrors(route), statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        $ref: `#/components/responses/${responseName(errorStyle, status)}`,
        description: sentCodes(codes).join(', '),
      },
    ]),
  );
}

const statusOf = (code: ErrorCode): number => ERROR_TABLE[code].status;

/** What the responses of all routes refer to. */
function sharedResponses(): Json {
  const responses: Json = {};
  for (const route of Object.values<Route>(ROUTES)) {
    const { errorStyle = 'plain' } = route;
    for (const status of routeErrors(route).map(statusOf)) {
      responses[responseName(errorStyle, status)] = {
        description: STATUS_CODES[status],
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${STYLES[errorStyle].schema}` } } },
      };
    }
  }
  return Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const errorSchema = (): Json => ({
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { type: 'boolean', const: false },
    code: {
      type: 'string',
      enum: sentCodes(Object.keys(ERROR_TABLE) as ErrorCode[]),
      description: 'Absent for an invalid search request, and when what can be used without a key is used up.',
    },
    error: { type: 'string', description: 'What went wrong, and what to do about it.' },
    details: { description: 'The fields that are wrong, each with its path, or facts about the failure.' },
    runId: { type: 'string', description: 'The run of the thread that has not ended.' },
    reason: { enum: ['requests', 'credits'], description: 'What is used up for today, without a key.' },
    retry_after_seconds: { type: 'integer', description: 'Until there is more without a key.' },
    checkId: { type: 'string', description: 'The check of the monitor that has not ended.' },
    feedbackErrorCode: { type: 'string', description: 'The code, of the calls that take ratings.' },
  },
});

/** Error answer of the calls by which agents get a key. */
const OAUTH_ERROR: Json = {
  type: 'object',
  required: ['error', 'error_description', 'message'],
  properties: {
    error: { type: 'string', description: 'The code.' },
    error_description: { type: 'string', description: 'What went wrong, and what to do about it.' },
    message: { type: 'string', description: 'The same as `error_description`.' },
  },
};

/** The clients of the research calls read these fields. */
const detailedErrorSchema = (): Json => ({
  allOf: [
    { $ref: '#/components/schemas/Error' },
    {
      type: 'object',
      required: ['type', 'detail'],
      properties: {
        type: { type: 'string', description: 'The same as `code`.' },
        detail: { type: 'string', description: 'The same as `error`.' },
      },
    },
  ],
});

export const ERROR_RESPONSES: Json = sharedResponses();

export const ERROR_SCHEMAS: Json = {
  Error: errorSchema(),
  DetailedError: detailedErrorSchema(),
  OAuthError: OAUTH_ERROR,
};
