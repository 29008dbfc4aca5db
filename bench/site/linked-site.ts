// A site of any number of linked articles of 5 to 100 KB. To make serving cheap, a thousand texts are generated at the start,
// and each article is one of them with its own title, last paragraph and links.
import { generatedText } from '../../test/support/web/generated.ts';
import { articlePage } from '../../test/support/web/pages.ts';
import { page, reply, type Site, send } from '../../test/support/web/reply.ts';
import { createDice } from '../../test/support/web/words.ts';

const TEXTS = 1000;
const LINKS = 20;

const links = (numbers: number[]): string =>
  `<ul>${numbers.map((number) => `<li><a href="/article/${number}">Article ${number}</a></li>`).join('')}</ul>`;

const twentyFrom = (first: number): number[] => Array.from({ length: LINKS }, (_, n) => first + n);

/** A word that is in no other article. */
const ownWord = (number: number): string =>
  String(number).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)]! + 'aeiou'[Number(digit) % 5]!);

/** The front page links to the first twenty articles, each article to twenty of its own, the last ones to random articles. */
export function linkedSite(size: number): Site {
  const texts = Array.from({ length: TEXTS }, (_, number) => generatedText(number));
  // The texts link to articles up to this number.
  const last = Math.max(size, TEXTS) - 1;

  const article = (number: number): string => {
    const { title, content } = texts[number % TEXTS]!;
    const dice = createDice(number);
    const others = twentyFrom((number + 1) * LINKS).map((other) => (other <= last ? other : dice.roll(last + 1)));
    const word = ownWord(number);
    return articlePage({
      title: `${title} ${word}`,
      content: `${content}\n<p>All of this is about ${word}.</p>\n${links(others)}`,
      path: `/article/${number}`,
    });
  };

  return {
    '/': reply(page('All articles', links(twentyFrom(0)))),
    '/article/*': (exchange) => {
      const number = Number(exchange.tail);
      if (number >= 0 && number <= last) send(exchange, article(number));
      else send(exchange, page('No such article'), { status: 404 });
    },
    '/robots.txt': reply('', { status: 404 }),
    '/sitemap.xml': reply('', { status: 404 }),
    // The targets of the navigation links.
    '/*': (exchange) => send(exchange, page(`About ${exchange.path.slice(1)}`)),
  };
}
