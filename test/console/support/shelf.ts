// A site for crawls: a front page and books that it links to, which can be held back or broken.
import { page as html, type Site, send } from '../../support/web/reply.ts';

const BOOKS = 12;
const words = (name: string) => `<p>${`Book ${name} of the shelf has a title and many pages. `.repeat(8)}</p>`;
const links = Array.from({ length: BOOKS }, (_, at) => `<a href="/book/${at}">Book ${at}</a>`).join(' ');

export interface Shelf {
  site: Site;
  /** Names of books whose pages break off. */
  broken: Set<string>;
  /** Edition of `/news`. */
  edition: number;
  /** Lets no book go until the returned function is called. */
  hold(): () => void;
}

export function createShelf(): Shelf {
  let gate = Promise.resolve();
  const shelf: Shelf = {
    broken: new Set(['3']),
    edition: 1,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    site: {
      '/': (exchange) => send(exchange, html('Shelf', words('list') + links)),
      '/news': (exchange) => send(exchange, html('News', words(`of edition ${shelf.edition}`))),
      '/book/*': async (exchange) => {
        await gate;
        if (shelf.broken.has(exchange.tail)) exchange.response.destroy();
        else send(exchange, html(`Book ${exchange.tail}`, words(exchange.tail)));
      },
    },
  };
  return shelf;
}
