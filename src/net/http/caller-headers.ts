// The one place that decides who gets the headers of a caller: the origin that the caller named, and nobody else,
// whatever redirects, links, sitemaps, frames, scripts or playlists say.
import type { GivenHeaders } from '../../contracts/scrape/given-headers.ts';

/** Headers on their way to another process of this installation, which sends the requests. */
export interface CarriedHeaders {
  origin?: string;
  values: Readonly<Record<string, string>>;
}

/** The values are private to this class: neither JSON nor a log line of it shows them. */
export class CallerHeaders {
  /** For requests whose target no caller chose. */
  static none(): CallerHeaders {
    return new CallerHeaders(undefined, {});
  }

  /** `home` is a URL that the caller wrote. Scheme, host and port count: https is another origin than http. */
  static for(home: URL, given: GivenHeaders): CallerHeaders {
    const headers = Object.entries(given as unknown as Record<string, string>);
    return new CallerHeaders(
      home.origin,
      Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    );
  }

  static carried({ origin, values }: CarriedHeaders): CallerHeaders {
    return new CallerHeaders(origin, values);
  }

  readonly #origin: string | undefined;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(origin: string | undefined, headers: Readonly<Record<string, string>>) {
    this.#origin = origin;
    this.#headers = headers;
  }

  /** Only for calls between processes: nothing else may see the values. */
  carry(): CarriedHeaders {
    return { ...(this.#origin !== undefined && { origin: this.#origin }), values: this.#headers };
  }

  get isEmpty(): boolean {
    return Object.keys(this.#headers).length === 0;
  }

  isFor({ protocol, origin }: URL): boolean {
    return /^https?:$/.test(protocol) && origin === this.#origin;
  }

  /** The headers for one request, with names in lower case. Ask again for every hop of a redirect. */
  at(target: URL): Record<string, string> {
    return this.isFor(target) ? { ...this.#headers } : {};
  }

  /**
   * The headers for a request that a page makes. `referrer` is the page's URL as its browser reports it: a page of
   * another origin must not be able to use them, not even towards their own origin.
   */
  fromPage(target: URL, referrer: URL | null): Record<string, string> {
    return referrer && this.isFor(referrer) ? this.at(target) : {};
  }

  /** Headers that a browser reports, without the caller's: after a redirect they may be those of the hop before. */
  removedFrom(reported: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(reported).filter(([name, value]) => {
        const own = this.#headers[name.toLowerCase()];
        return own === undefined || !value.startsWith(own);
      }),
    );
  }
}
