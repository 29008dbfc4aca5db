// Two companies write about the same purchase: the price is on the buyer's site, what becomes of the seller's staff on its own.
import { date, integer, object, taskTemplate, text } from '../../task.ts';

const BUYER = 'veldkampgroup.test';
const SELLER = 'orrinmills.test';
const buyer = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} - Veldkamp Group</title></head><body><header><a href="/">Veldkamp Group</a><nav><a href="/investors">Investors</a><a href="/brands">Brands</a><a href="/press">Press</a></nav></header><article>${body}</article><footer>VKG 31.40 +0.2 %. Forward-looking statements involve risks.</footer></body></html>`;
const seller = (title: string, body: string) =>
  `<html lang="en"><head><meta charset="utf-8"><title>${title} :: Orrin Mills</title></head><body><center><a href="/">Orrin Mills</a> | <a href="/flour">Our flour</a> | <a href="/news">News</a> | <a href="/visit">Visit the mill</a></center><div>${body}</div><p><i>Orrin Mills, stone-ground since 1846. Mill shop open Wednesday to Saturday.</i></p></body></html>`;

export const mergerTwoSites = taskTemplate({
  name: 'merger-two-sites',
  sites: {
    [BUYER]: {
      '/': buyer(
        'Food that lasts',
        '<h1>Food that lasts</h1><p>We own fourteen brands in nine countries.</p><p><a href="/press">Press releases</a></p>',
      ),
      '/press': buyer(
        'Press',
        '<h1>Press releases</h1><ul><li><a href="/press/orrin-mills">Veldkamp Group acquires Orrin Mills</a></li><li><a href="/press/results-2025">Results of 2025</a></li></ul>',
      ),
      '/press/orrin-mills': buyer(
        'Veldkamp Group acquires Orrin Mills',
        '<h1>Veldkamp Group acquires Orrin Mills</h1><p>Utrecht, 20 January 2026. Veldkamp Group has agreed to buy Orrin Mills Ltd for £27 million in cash. The purchase is expected to close on 31 March 2026, subject to approval by the authorities.</p><p>"Orrin is a jewel," said Maarten Dijkhuis, chief executive of Veldkamp Group.</p><h2>About Veldkamp Group</h2><p>Founded in 1928, the group had a turnover of €1.9 billion in 2025.</p>',
      ),
      '/press/results-2025': buyer(
        'Results of 2025',
        '<h1>Results of 2025</h1><p>Turnover rose by 4 % to €1.9 billion.</p>',
      ),
    },
    [SELLER]: {
      '/': seller(
        'Home',
        '<h1>Stone-ground flour from Ross-shire</h1><p>Our stones turn on water, as they did in 1846.</p><p><a href="/news">News from the mill</a></p>',
      ),
      '/news': seller(
        'News',
        '<h1>News</h1><p><a href="/news/joining-veldkamp">We are joining Veldkamp</a></p><p><a href="/news/open-day">Open day on 6 June</a></p>',
      ),
      '/news/joining-veldkamp': seller(
        'We are joining Veldkamp',
        '<h1>We are joining Veldkamp</h1><p>Today we told our 63 employees that Orrin Mills will become part of Veldkamp Group. All of them keep their jobs. Our managing director Fiona Urquhart stays until 2028, and the mill stays where it is.</p>',
      ),
      '/news/open-day': seller('Open day', '<h1>Open day</h1><p>Come and see the stones on 6 June.</p>'),
    },
  },
  tasks: [
    {
      name: 'merger-two-sites',
      prompt:
        'The purchase of Orrin Mills by Veldkamp Group: price in millions of pounds, expected closing date, chief executive of Veldkamp Group, managing director and number of employees of Orrin Mills',
      urls: [`http://${BUYER}/`, `http://${SELLER}/`],
      schema: object({
        priceInMillions: integer('purchase price, in millions of pounds'),
        closingDate: date('expected closing date of the purchase'),
        chiefExecutive: text('chief executive of Veldkamp Group'),
        managingDirector: text('managing director of Orrin Mills'),
        employees: integer('number of employees of Orrin Mills'),
      }),
      expected: {
        priceInMillions: 27,
        closingDate: '2026-03-31',
        chiefExecutive: 'Maarten Dijkhuis',
        managingDirector: 'Fiona Urquhart',
        employees: 63,
      },
      pages: [`${BUYER}/press/orrin-mills`, `${SELLER}/news/joining-veldkamp`],
    },
  ],
});
