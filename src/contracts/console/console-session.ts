// The session of the console: logging in with a key or a one-time link, and out.
import { z } from 'zod';
import { meResponse } from '../team/me.ts';

const MAX_KEY_LENGTH = 1_024;
const MAX_LINK_LENGTH = 100;

export const LOGIN_WAYS = ['key', 'link'] as const;

export const openConsoleSessionRequest = z
  .strictObject({
    key: z.string().trim().min(1).max(MAX_KEY_LENGTH).optional().describe('An API key.'),
    link: z.string().min(1).max(MAX_LINK_LENGTH).optional().describe('What follows `#login=` in a one-time link.'),
  })
  .refine(({ key, link }) => (key === undefined) !== (link === undefined), 'Send either `key` or `link`.');

export const consoleSessionResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      isLoggedIn: z.boolean().describe('Whether the console can be used. Always true while authentication is off.'),
      authentication: z.enum(['required', 'off']).describe('Whether this server asks for keys.'),
      ways: z.array(z.enum(LOGIN_WAYS)).describe('The ways to log in.'),
      csrfToken: z
        .string()
        .nullable()
        .describe('Sent as the header `x-csrf-token` with every request of the session that is not a GET.'),
      expiresAt: z.string().nullable().describe('When the session ends unless it is used before.'),
      me: meResponse.unwrap().shape.data.nullable().describe('Who is logged in, as in GET /v2/me.'),
    }),
  }),
);
export type ConsoleSessionResponse = z.output<typeof consoleSessionResponse>;

/** Requests of a session carry their CSRF token in this header. */
export const CSRF_HEADER = 'x-csrf-token';
