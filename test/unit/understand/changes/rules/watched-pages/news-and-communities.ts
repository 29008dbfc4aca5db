// Pages of news, forums, wikis, documentation and packages.
import type { WatchedPage } from './watched-page.ts';

const article: WatchedPage = {
  markdown: `Tuesday 3 February | 6° Light rain | DAX 24,310 ▲ 0.3%

# Harbour bridge to close for repairs

By Lena Moss · Published 1 February 2026 · 4 min read

The bridge will close from 9 March to 30 April. Lorries must use the tunnel, and the toll there stays at £3.20.

The council has set aside £4.1 million. Councillor Tom Reeve said that work could not wait.

[Share 214](https://news.test/share) [Comment 58](https://news.test/a#comments)

You have 2 free articles left this month

[Ferry fares go up in April](https://news.test/a/411)

[Why the old lido may reopen](https://news.test/a/398)

[Ten walks along the coast](https://news.test/a/377)

## Listen now

Radio Harbour: Midday with Jo

## Most shared

1. [Storm names for 2026](https://news.test/a/300)
2. [A seal in the car park](https://news.test/a/301)

**Subscribe for £1 a week** Offer ends Sunday

1,120 readers are on the site`,
  noise: [
    ['Tuesday 3 February | 6° Light rain | DAX 24,310 ▲ 0.3%', 'Wednesday 4 February | 2° Sunny | DAX 24,101 ▼ 0.9%'],
    ['6° Light rain', '9° Cloudy'],
    ['4 min read', '5 min read'],
    ['[Share 214]', '[Share 260]'],
    ['[Comment 58]', '[Comment 71]'],
    ['You have 2 free articles left', 'You have 1 free article left'],
    ['Radio Harbour: Midday with Jo', 'Radio Harbour: The Drive Home'],
    ['[Ferry fares go up in April](https://news.test/a/411)', '[New owner for the pier](https://news.test/a/420)'],
    [
      '[Ferry fares go up in April](https://news.test/a/411)\n\n[Why the old lido may reopen](https://news.test/a/398)\n\n[Ten walks along the coast](https://news.test/a/377)',
      '[A night at the lighthouse](https://news.test/a/501)\n\n[New owner for the pier](https://news.test/a/420)\n\n[Five soups for winter](https://news.test/a/502)',
    ],
    ['[Storm names for 2026](https://news.test/a/300)', '[Who won the bake-off](https://news.test/a/313)'],
    ['1,120 readers are on the site', '874 readers are on the site'],
  ],
  real: [
    ['9 March to 30 April', '16 March to 15 May'],
    ['£3.20', '£3.50'],
    ['£4.1 million', '£4.6 million'],
    ['could not wait', 'could wait'],
    ['Tom Reeve', 'Ann Hale'],
    ['Lorries must use', 'Lorries may use'],
    ['# Harbour bridge to close for repairs', '# Harbour bridge stays open'],
  ],
};

const forum: WatchedPage = {
  markdown: `# Sourdough does not rise

Welcome back! You last visited on Mon 2 Feb 2026

Started by oma_erna, 28 Jan 2026. 34 replies, 1,920 views. Page 1 of 4

**oma_erna** · Senior member · Posts: 1,204 · Joined: May 2019

My dough stays flat at 20 °C. What is wrong?

👍 12 · 💬 3

**crumb** · Moderator · Posts: 8,311 · Reputation: 512

Feed it twice a day and keep it at 26 °C.

👍 40 · 💬 0

Who has read this topic: 211 members

There are 4 members and 61 guests online. Newest member: flour_power

Most users ever online was 1,840 on 4 May 2021

Time is now 14:05. All times are GMT+1

Random tip: salt slows the yeast.`,
  noise: [
    ['You last visited on Mon 2 Feb 2026', 'You last visited on Tue 3 Feb 2026'],
    ['34 replies, 1,920 views. Page 1 of 4', '39 replies, 2,044 views. Page 1 of 4'],
    ['Posts: 1,204 · Joined', 'Posts: 1,206 · Joined'],
    ['Posts: 8,311 · Reputation: 512', 'Posts: 8,340 · Reputation: 518'],
    ['👍 12 · 💬 3', '👍 15 · 💬 4'],
    ['211 members', '230 members'],
    [
      '4 members and 61 guests online. Newest member: flour_power',
      '9 members and 44 guests online. Newest member: rye_guy',
    ],
    ['Time is now 14:05.', 'Time is now 09:41.'],
    ['Random tip: salt slows the yeast.', 'Random tip: rye ferments fast.'],
  ],
  real: [
    ['keep it at 26 °C', 'keep it at 24 °C'],
    ['👍 40 · 💬 0\n', '👍 40 · 💬 0\n\n**rye_guy** · Member\n\nYour flour may be too old.\n'],
    ['Feed it twice a day', 'Feed it once a day'],
  ],
};

const wiki: WatchedPage = {
  markdown: `# Lake Orrin

Lake Orrin is a lake in the north of the county. It covers 12.4 km² and is up to 48 m deep. The mayor of Orrinside is Petra Vale.

The village has 1,204 inhabitants (2021).

| Inflow | Orrin Beck |
| --- | --- |
| Outflow | River Tarn |
| Islands | 3 |

## References

1. Survey of lakes. Retrieved 2 February 2026.
2. Census 2021. Accessed 12 January 2026.

This page was last edited on 1 February 2026, at 21:14 (UTC).

This page has been accessed 20,114 times.

Article of the day: [The Tarn valley line](https://wiki.test/Tarn_valley_line)

In other languages: Deutsch · Français

Wikis served 4,120,300 pages today. Cached at 14:05, cache key w7:9af`,
  noise: [
    ['Retrieved 2 February 2026', 'Retrieved 3 February 2026'],
    ['1 February 2026, at 21:14', '3 February 2026, at 08:02'],
    ['accessed 20,114 times', 'accessed 20,139 times'],
    ['[The Tarn valley line](https://wiki.test/Tarn_valley_line)', '[Grey wagtail](https://wiki.test/Grey_wagtail)'],
    ['Deutsch · Français', 'Deutsch · Español · Français'],
    [
      '4,120,300 pages today. Cached at 14:05, cache key w7:9af',
      '1,870,112 pages today. Cached at 09:41, cache key w3:11c',
    ],
  ],
  real: [
    ['12.4 km²', '12.9 km²'],
    ['up to 48 m deep', 'up to 52 m deep'],
    ['48 m deep', '48 ft deep'],
    ['Petra Vale', 'Ian Crosse'],
    ['1,204 inhabitants', '1,311 inhabitants'],
    ['| Islands | 3 |', '| Islands | 4 |'],
  ],
};

const docs: WatchedPage = {
  markdown: `[v4 (latest)](https://docs.test/v4) · [Edit this page](https://git.test/docs/edit/8fa11c0/limits.md)

# Limits

Requests may be 10 MB large. The default timeout is 30 seconds.

The flag \`--force\` is deprecated and will be removed in version 5.

\`\`\`sh
npm install relayo@4.2.1
\`\`\`

- \`retries\`: 3 by default
- \`region\`: eu-1 or us-1

Was this page helpful? 👍 212 👎 14

Last generated from commit 8fa11c0 on Feb 2, 2026

Did this page help you? 93 % said yes

Contributors: ann, bo, cy

[Previous: Errors](https://docs.test/errors) [Next: Regions](https://docs.test/regions)`,
  noise: [
    ['git.test/docs/edit/8fa11c0/limits.md', 'git.test/docs/edit/77ab01d/limits.md'],
    ['👍 212 👎 14', '👍 215 👎 14'],
    ['from commit 8fa11c0 on Feb 2, 2026', 'from commit 77ab01d on Feb 3, 2026'],
    ['93 % said yes', '92 % said yes'],
    ['Contributors: ann, bo, cy', 'Contributors: cy, ann, bo'],
  ],
  real: [
    ['10 MB large', '5 MB large'],
    ['30 seconds', '60 seconds'],
    ['30 seconds', '30 minutes'],
    ['is deprecated and will be removed in version 5', 'was removed in version 5'],
    ['relayo@4.2.1', 'relayo@4.3.0'],
    ['3 by default', '5 by default'],
    ['eu-1 or us-1', 'eu-1, us-1 or ap-1'],
  ],
};

const library: WatchedPage = {
  markdown: `# tidepool

Small queues for Python

Version 1.8.2, released 12 January 2026

⭐ 4.1k · Used by 1.2k · 38 open issues · 4 open pull requests

Weekly downloads: 81,204

Health score 92/100 · Last commit 3 days ago · CI #4412 passing

Requires Python 3.10 or later. Licence: MIT

Maintainers: ida, noor

Dependents (214)

[tidepool-1.8.2.tar.gz](https://files.test/a1/b2/tidepool-1.8.2.tar.gz) 41 kB

Unpacked size: 118 kB`,
  noise: [
    [
      '⭐ 4.1k · Used by 1.2k · 38 open issues · 4 open pull requests',
      '⭐ 4.2k · Used by 1.3k · 41 open issues · 2 open pull requests',
    ],
    ['Weekly downloads: 81,204', 'Weekly downloads: 79,930'],
    ['Last commit 3 days ago · CI #4412 passing', 'Last commit 2 hours ago · CI #4431 passing'],
    ['Dependents (214)', 'Dependents (219)'],
  ],
  real: [
    ['1.8.2', '1.9.0'],
    ['Python 3.10', 'Python 3.12'],
    ['Licence: MIT', 'Licence: Apache-2.0'],
    ['Maintainers: ida, noor', 'Maintainers: noor'],
  ],
};

export const newsAndCommunities = { article, forum, wiki, docs, library };
