// Keys of web archives (SURT): a URL with its host from the last label to the first, so that a site is one range of an index.

/** As the tools for archives write it: without scheme, www and default port, in lower case, with sorted parameters. */
export function surtKey(url: URL): string {
  const host = url.hostname.replace(/^www\d*\./, '');
  const isName = !/^[\d.]+$|^\[/.test(host);
  const labels = isName ? host.split('.').toReversed().join(',') : host;
  const port = url.port === '' ? '' : `:${url.port}`;
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/+$/, '') : url.pathname;
  const query = url.search === '' ? '' : `?${url.search.slice(1).split('&').toSorted().join('&')}`;
  return `${labels}${port})${path || '/'}${query}`.toLowerCase();
}
