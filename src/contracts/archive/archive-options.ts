// Options about archives: keeping what was received, and reading from an archive instead of the web.
import { z } from 'zod';

const UUID_LENGTH = 36;

export const archiveFields = {
  archive: z
    .boolean()
    .default(false)
    .describe(
      'Keeps what was received, exactly: download it with `format=wacz` or `format=warc`. Fetches the page anew.',
    ),
  source: z
    .strictObject({
      archive: z.uuid().max(UUID_LENGTH).describe('The ID of the archive: that of its scrape, batch, crawl or upload.'),
    })
    .optional()
    .describe('Reads from an archive, and sends no request: what is not in it is answered with ARCHIVE_MISS.'),
};

interface Asked {
  archive: boolean;
  source?: object | undefined;
  lockdown: boolean;
  minAge?: number | undefined;
  profile?: object | undefined;
  formats: readonly { type: string }[];
}

/** What needs the web as it is now. */
const OF_THE_WEB: ReadonlySet<string> = new Set(['audio', 'video', 'changeTracking']);

export function checkArchiveOptions({ archive, source, ...options }: Asked, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (archive && source)
    refuse('archive', 'What `source` reads is in an archive already. Leave out `archive` or `source`.');
  if (archive && (options.lockdown || options.minAge !== undefined))
    refuse(
      'archive',
      '`archive` fetches the page, and `lockdown` and `minAge` read only the cache. Leave one of them out.',
    );
  if (!source) return;
  if (options.lockdown || options.minAge !== undefined)
    refuse('source', '`source` reads an archive, and `lockdown` and `minAge` read the cache. Leave one of them out.');
  const unserved = options.formats.find(({ type }) => OF_THE_WEB.has(type));
  if (unserved)
    refuse(
      'formats',
      `The format \`${unserved.type}\` needs the web as it is now. Leave it out, or leave out \`source\`.`,
    );
}
