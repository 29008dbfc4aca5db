// GET /v2/me: who the caller is and what it may do, for pages that show only what can be used.
import { z } from 'zod';
import { keyView } from './keys.ts';
import { KEY_GROUPS } from './policy.ts';

export const meResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      team: z.object({ id: z.string().describe('ID of the team.'), name: z.string().describe('Name of the team.') }),
      key: keyView
        .unwrap()
        .pick({ prefix: true, label: true, limits: true, expiresAt: true })
        .extend({
          id: z.string().nullable().describe('Null if the key is not stored: TRAWL_API_KEY, or a link of the console.'),
          prefix: z.string().describe('How the ledger and the audit log name the key.'),
        })
        .nullable()
        .describe('The key of this request; null while authentication is off.'),
      isOperator: z.boolean().describe('Whether the caller manages this server and all its teams.'),
      mayManage: z.boolean().describe('Whether the caller manages its team: its key is not restricted in any way.'),
      groups: z.array(z.enum(KEY_GROUPS)).describe('The groups of calls that the key may make.'),
      authentication: z.enum(['required', 'off']).describe('Whether this server asks for keys.'),
      version: z.string().describe('Version of the server.'),
    }),
  }),
);
export type MeResponse = z.output<typeof meResponse>;
