// How a stored file is sent: a browser may show it and do nothing else with it.
import type { StoredFile } from '../store/files.ts';
import type { OpenAnswer } from './bind-routes.ts';

/** What browsers show by themselves; anything else is saved. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'application/pdf']);

/** `name` is one that this service gave: its link was checked. */
export function answerFile({ bytes, type }: StoredFile, name: string): OpenAnswer {
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': `${SHOWN.has(type) ? 'inline' : 'attachment'}; filename="${name}"`,
      'x-content-type-options': 'nosniff',
      // Browsers lay out a lone picture with styles of their own.
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'private',
      // The link is all that one needs to fetch the file.
      'referrer-policy': 'no-referrer',
    },
    body: bytes,
  };
}
