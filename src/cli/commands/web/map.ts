// `trawl map URL`: the URLs of a site, one a line.
import type { CommandBody } from '../../command.ts';
import { OUTPUT_FLAG, targetOf } from '../../output/output-flag.ts';
import { writeFileSafely } from '../../output/write-file.ts';
import { onlyOne } from '../../parse/count-arguments.ts';
import { withProtocol } from '../../parse/read-urls.ts';
import { UsageError } from '../../usage-error.ts';

export const map: CommandBody = {
  usage: 'URL',
  call: 'map',
  without: ['url'],
  common: ['search', 'limit', 'sitemap', 'includeSubdomains', 'includePaths', 'excludePaths', 'timeout'],
  flags: { output: OUTPUT_FLAG },
  examples: [
    'trawl map https://example.com',
    'trawl map https://example.com --search prices --limit 20',
    'trawl map https://example.com | grep /blog/ | trawl scrape - -o blog/',
  ],
  async run({ args, body, flags, connect, screen, signal }) {
    const url = withProtocol(onlyOne(args, 'trawl map URL'));
    const target = targetOf(flags.output);
    if (target.kind === 'folder') throw new UsageError('A map is one list. Name a file with -o, not a folder.');
    const { api } = await connect();
    const answer = await api.call('map', { body: { ...body, url } as never, signal });
    const asJson = screen.json || (target.kind === 'file' && target.path.endsWith('.json'));
    const text = asJson ? JSON.stringify(answer, null, 2) : answer.links.map((link) => link.url).join('\n');
    if (target.kind === 'file') await writeFileSafely(target.path, text === '' ? '' : `${text}\n`);
    else if (text !== '') screen.print(text);
    if (target.kind === 'file') screen.note(`${answer.links.length} URLs are in ${target.path}`);
    if (answer.warning) screen.note(answer.warning);
    return undefined;
  },
};
