// Sites whose robots.txt has rules, is missing, redirects, is too long, or never answers.
import { once } from 'node:events';
import { type Exchange, type Handler, page, reply, type Site, send } from './reply.ts';

const PLAIN = { type: 'text/plain' };

const anyPage: Handler = (exchange) => send(exchange, page(`Page ${exchange.path} of ${exchange.host}`));

const withRobots = (robots: Handler): Site => ({ '/robots.txt': robots, '/*': anyPage });

const says = (text: string): Site => withRobots(reply(text, PLAIN));

const ok = `# Two groups for everyone and one for two named crawlers.
User-agent: *
Disallow: /private/
Allow: /private/open/
Disallow: /*.cgi$

User-agent: SomeBot
User-agent: trawl
Disallow: /not-for-trawl/

User-agent: *
Disallow: /drafts
`;

/** Rules beyond the first 500 KB must not count. */
function huge(): string {
  const lines = ['User-agent: *', 'Disallow: /early/'];
  for (let length = 0, number = 0; length < 600 * 1024; number += 1) {
    const line = `Disallow: /filler/${number}/`;
    lines.push(line);
    length += line.length + 1;
  }
  return [...lines, 'Disallow: /late/', ''].join('\n');
}

const elsewhere =
  (location: (exchange: Exchange) => string): Handler =>
  (exchange) =>
    send(exchange, '', { status: 302, headers: { location: location(exchange) } });

export const robots: Record<string, Site> = {
  'robots-ok.test': says(ok),
  'robots-500.test': withRobots(reply('', { status: 500 })),
  'robots-404.test': withRobots(reply(page('Not found'), { status: 404 })),
  'robots-redirect.test': withRobots(elsewhere(({ origin }) => `${origin('robots-hop.test')}/1`)),
  // Four hops on a second host, then the file on a third.
  'robots-hop.test': {
    '/*': elsewhere(({ tail, origin }) =>
      Number(tail) < 4 ? `/${Number(tail) + 1}` : `${origin('robots-ok.test')}/robots.txt`,
    ),
  },
  'robots-loop.test': withRobots(elsewhere(() => '/robots.txt')),
  'robots-huge.test': withRobots(reply(huge, PLAIN)),
  'robots-slow.test': withRobots(async ({ signal }) => {
    if (!signal.aborted) await once(signal, 'abort');
  }),
  'delay.test': says('User-agent: *\nCrawl-delay: 1\n'),
};
