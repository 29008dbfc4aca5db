// Watched pages about software and news: versions matter; stars, dates of visits and the order of headlines do not.
import { pairsOf, webPage } from '../page-pair.ts';

const project = webPage({
  title: 'gullwing: a tiny HTTP router',
  header: '<a href="/">Codeharbour</a> <input placeholder="Search">',
  main: `<h1>gullwing</h1><p>★ 3,482 stars · 214 forks · 61 watching</p><p>Latest release: v2.4.1</p><p>Last commit 6 hours ago</p><h2>Install</h2><pre><code>npm install gullwing</code></pre><p>Gullwing needs Node 20 or later. It has no dependencies.</p><h2>Licence</h2><p>MIT</p>`,
  footer: 'Codeharbour, server fra-7, 18 ms',
});

const front = webPage({
  title: 'The Fenland Post',
  header: '<p>Monday, February 2, 2026</p><p>Sunrise 7:41, sunset 16:52</p>',
  main: `<h1>Top stories</h1><div class="story"><h2><a href="/a/91?utm=top1">Pumps keep pace with the flood at Denny</a></h2><p>Engineers worked through the night.</p><span>12 comments</span></div><div class="story"><h2><a href="/a/92?utm=top2">School meals will stay free until 2028</a></h2><p>The county found the money.</p><span>47 comments</span></div><div class="ad">Advertisement: Winter tyres from £49</div>`,
  footer: 'Copyright 2026 Fenland Media',
});

export const softwarePairs = [
  ...pairsOf({
    page: 'project',
    html: project,
    noise: {
      'stars and last commit': [
        ['3,482 stars · 214 forks · 61 watching', '3,497 stars · 215 forks · 60 watching'],
        ['6 hours ago', 'yesterday'],
        ['fra-7, 18 ms', 'fra-2, 23 ms'],
      ],
    },
    real: {
      version: [
        ['v2.4.1', 'v2.5.0'],
        ['6 hours ago', '3 minutes ago'],
        ['3,482', '3,490'],
      ],
    },
  }),
  ...pairsOf({
    page: 'front page',
    html: front,
    noise: {
      'order of headlines, advertisement and comments': [
        [
          '<div class="story"><h2><a href="/a/91?utm=top1">Pumps keep pace with the flood at Denny</a></h2><p>Engineers worked through the night.</p><span>12 comments</span></div><div class="story"><h2><a href="/a/92?utm=top2">School meals will stay free until 2028</a></h2><p>The county found the money.</p><span>47 comments</span></div>',
          '<div class="story"><h2><a href="/a/92?utm=top1">School meals will stay free until 2028</a></h2><p>The county found the money.</p><span>58 comments</span></div><div class="story"><h2><a href="/a/91?utm=top2">Pumps keep pace with the flood at Denny</a></h2><p>Engineers worked through the night.</p><span>19 comments</span></div>',
        ],
        ['Winter tyres from £49', 'Try our garden planner for free'],
        ['Monday, February 2, 2026', 'Tuesday, February 3, 2026'],
      ],
    },
    real: {
      'new story': [
        [
          '<h1>Top stories</h1>',
          '<h1>Top stories</h1><div class="story"><h2><a href="/a/93?utm=top1">Ely station to close for two weeks</a></h2><p>Buses will replace trains in March.</p><span>0 comments</span></div>',
        ],
      ],
    },
  }),
];
