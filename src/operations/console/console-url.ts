// Addresses of the console for people: what the start message and `trawl console` print.

/** The token is in the fragment, which browsers send to nobody: it is in no log and no Referer. */
export const consoleUrl = (baseUrl: string, link: string | undefined): string =>
  link === undefined ? `${baseUrl}/` : `${baseUrl}/#login=${link}`;

/** A service that listens on all addresses is reached at loopback by browsers of its machine. */
export const browserUrl = (url: string): string => url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, '//127.0.0.1');
