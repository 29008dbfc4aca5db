// What cannot be requested together with redactPII: bytes, pictures and recordings, in which nothing can be replaced.
import type { z } from 'zod';
import { type FormatType, traitsOf } from '../formats/format-traits.ts';

const ACTIONS = ['screenshot', 'scrape', 'pdf', 'executeJavascript'];

interface Asked {
  redactPII: unknown;
  formats: readonly { type: FormatType }[];
  actions: readonly { type: string }[];
  parsers: readonly unknown[];
}

interface Refused {
  path: (string | number)[];
  message: string;
}

/** Every request with these options applies it. */
export function checkUnredactable(options: Asked, context: z.RefinementCtx): void {
  for (const { path, message } of unredactable(options)) context.addIssue({ code: 'custom', path, message });
}

function unredactable({ redactPII, formats, actions, parsers }: Asked): Refused[] {
  if (redactPII === false) return [];
  const refused = (what: string) => `${what} cannot be redacted. Leave it out, or leave out \`redactPII\`.`;
  return [
    ...formats.flatMap(({ type }, index) =>
      traitsOf(type).isRedactable ? [] : [{ path: ['formats', index], message: refused(`The format \`${type}\``) }],
    ),
    ...actions.flatMap(({ type }, index) =>
      ACTIONS.includes(type)
        ? [{ path: ['actions', index], message: refused(`What the action \`${type}\` returns`) }]
        : [],
    ),
    ...(parsers.length === 0
      ? [{ path: ['parsers'], message: refused('A PDF that is returned unread (an empty list of `parsers`)') }]
      : []),
  ];
}
