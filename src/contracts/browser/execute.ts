// POST /v2/browser/{id}/execute and POST, DELETE /v2/scrape/{id}/interact: code and prompts that callers run against a
// browser session.
import { z } from 'zod';
import { SettingError } from '../../util/setting-error.ts';
import { MAX_PROMPT_LENGTH, nameText } from '../bounds.ts';
import { optionalText } from '../optional-text.ts';
import { clientFields } from '../scrape/scrape.ts';
import { threatProtection } from '../threats/threat-protection.ts';

export const LANGUAGES = ['node', 'python', 'bash'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Reads the operator's setting: `on`, `off` or a list of languages. */
export function parseLanguages(text: string): readonly Language[] {
  if (text === 'off') return [];
  if (text === 'on') return LANGUAGES;
  return text.split(',').map((name) => {
    const language = LANGUAGES.find((known) => known === name.trim());
    if (!language) throw new SettingError(`it must be on, off, or a list of ${LANGUAGES.join(', ')}`);
    return language;
  });
}

const MAX_CODE_BYTES = 100_000;

const code = z
  .string()
  .max(MAX_CODE_BYTES, `\`code\` must have at most ${MAX_CODE_BYTES} bytes.`)
  .refine((text) => Buffer.byteLength(text) <= MAX_CODE_BYTES, `\`code\` must have at most ${MAX_CODE_BYTES} bytes.`);

const executeFields = {
  language: z.enum(LANGUAGES).default('node').describe('Language of `code`.'),
  timeout: z.number().min(1).max(300).default(30).describe('Seconds after which the code is stopped.'),
  ...clientFields,
};

export const executeRequest = z.object({ code: code.min(1).describe('The code to run.'), ...executeFields });
export type ExecuteRequest = z.output<typeof executeRequest>;

export const interactRequest = z
  .object({
    code: optionalText(code).describe('The code to run.'),
    prompt: optionalText(z.string().max(MAX_PROMPT_LENGTH)).describe(
      'What to do on the page, in plain words. A language model carries it out. Ignored if there is `code`.',
    ),
    ...executeFields,
    existingSessionId: optionalText(nameText).describe(
      'Uses this session as it is instead of opening one for the scrape',
    ),
    ttl: z.int().min(30).max(3_600).default(600).describe('Maximum lifetime of the session in seconds'),
    activityTtl: z
      .int()
      .min(10)
      .max(3_600)
      .default(300)
      .describe('Seconds without activity after which the session ends'),
    threatProtection: threatProtection.optional(),
  })
  .refine((body) => body.code !== undefined || body.prompt !== undefined, {
    path: ['code'],
    error: 'Set `code` to the code to run, or `prompt` to what a language model is to do.',
  });
export type InteractRequest = z.output<typeof interactRequest>;

const outcome = {
  stdout: z.string(),
  stderr: z.string(),
  result: z.string().describe('Value of the last expression (node), or the printed output'),
  exitCode: z.int(),
  killed: z.boolean().describe('Whether the code was stopped for exceeding its time or memory limit'),
  truncated: z.boolean().optional().describe('Whether the output was cut'),
  error: z.string().optional(),
  cdpUrl: z.string(),
  liveViewUrl: z.string(),
  interactiveLiveViewUrl: z.string(),
};

export const executeResponse = z.lazy(() => z.object({ success: z.literal(true), ...outcome }));
export type ExecuteResponse = z.output<typeof executeResponse>;
export const interactResponse = z.lazy(() =>
  z.object({
    success: z.boolean().describe('Whether the code exited without an error, or the prompt was carried out'),
    sessionId: z.string(),
    output: z.string().optional().describe('What the language model answered to the `prompt`'),
    ...outcome,
  }),
);
export type InteractResponse = z.output<typeof interactResponse>;
