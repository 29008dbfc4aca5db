// Test stage: an open site and a forbidden canary on the same port of two addresses, a name server and a proxy.
import { createServer } from 'node:http';
import { parseAllowList } from '../../src/net/addresses/allow-list.ts';
import { parseProxyList } from '../../src/net/connections/upstream-proxies.ts';
import { createEgress, type Egress } from '../../src/net/egress.ts';
import { type DnsServer, startDns } from '../support/dns.ts';
import { listenOnOnePort } from '../support/one-port.ts';
import { startProxy, type TestProxy } from '../support/proxy.ts';
import { type Catalogues, startCatalogues } from '../support/search/catalogues.ts';
import { type ProviderStandIn, startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHere } from '../support/service-here.ts';

export interface Reply {
  status: number;
  /** Sent unchanged, as UTF-8, even if it is not valid in a header. */
  location?: string;
  html?: string;
}

export interface Stage {
  /** The port of both the site and the canary. */
  port: number;
  dns: DnsServer;
  proxy: TestProxy;
  /** The service's search provider. Its address is forbidden except through the operator's settings. */
  provider: ProviderStandIn;
  /** The service's catalogue of papers. Its address is forbidden, too. */
  catalogues: Catalogues;
  /** Directly to the target. */
  egress: Egress;
  /** Through the upstream proxy. */
  proxied: Egress;
  /** The complete service on this stage; started on first use. */
  service(): Promise<RunningService>;
  /** Puts a reply on the open site, at `path` if given, and returns its URL. */
  serve(reply: Reply, path?: string): string;
  /** Paths that reached the canary. It must stay empty. */
  caught: string[];
  stop(): Promise<void>;
}

/** The open site, which the settings allow, and the canary, which stands for everything that is forbidden. */
export const SITE_ADDRESS = '127.0.0.2';
const CANARY_ADDRESSES = ['127.0.0.1', '::1'];
export const SITE_TEXT = 'the open site';
export const CANARY_TEXT = 'the canary';

/** `allow` is the allow-list; the controls widen it to prove that the canary can be caught at all. `more` are settings of the service. */
export async function openStage(allow = SITE_ADDRESS, more: Record<string, string> = {}): Promise<Stage> {
  const replies = new Map<string, Reply>();
  const caught: string[] = [];

  const site = createServer((request, response) => {
    const { status, location, html } = replies.get(request.url ?? '') ?? { status: 200, html: SITE_TEXT };
    const head = [`HTTP/1.1 ${status} Reply`, 'Connection: close', 'Content-Type: text/html; charset=utf-8'];
    if (location !== undefined) head.push(`Location: ${location}`);
    // Written by hand, because Node's server refuses to send what attackers send.
    response.socket?.end(`${head.join('\r\n')}\r\n\r\n${html ?? ''}`);
  });
  const canaries = CANARY_ADDRESSES.map(
    (address) =>
      [
        address,
        createServer((request, response) => {
          caught.push(request.url ?? '');
          response.setHeader('connection', 'close').end(CANARY_TEXT);
        }),
      ] as const,
  );
  const servers = [...canaries, [SITE_ADDRESS, site] as const];
  const port = await listenOnOnePort(servers);
  const dns = await startDns({ 'site.test': [SITE_ADDRESS], '*.site.test': [SITE_ADDRESS] });
  const proxy = await startProxy({ target: () => ({ host: SITE_ADDRESS, port }) });

  const provider = await startProviderStandIn('searxng');
  const catalogues = await startCatalogues({ papers: [] });

  let service: Promise<RunningService> | undefined;
  const publicUrl = `http://own.site.test:${port}/base`;
  const settings = {
    allow: parseAllowList(allow),
    publicUrl,
    dnsServers: [dns.address],
    maxPageBytes: 1_000_000,
    ownAddress: () => undefined,
  };
  const egress = createEgress({ ...settings, proxies: { basic: [], enhanced: [] } });
  const proxied = createEgress({ ...settings, proxies: { basic: parseProxyList(proxy.url), enhanced: [] } });

  return {
    port,
    dns,
    proxy,
    provider,
    catalogues,
    egress,
    proxied,
    service() {
      service ??= startServiceHere({
        TRAWL_DNS: dns.address,
        TRAWL_ALLOW_NETWORKS: allow,
        TRAWL_PUBLIC_URL: publicUrl,
        TRAWL_SEARXNG_URL: provider.url,
        TRAWL_OPENALEX_URL: catalogues.settings.TRAWL_OPENALEX_URL!,
        TRAWL_SEARCH_PROVIDERS: 'searxng,openalex',
        ...more,
      });
      return service;
    },
    serve(reply, path = `/reply/${replies.size}`) {
      replies.set(path, reply);
      return `http://site.test:${port}${path}`;
    },
    caught,
    async stop() {
      await (await service)?.stop();
      await Promise.all([
        egress.close(),
        proxied.close(),
        dns.stop(),
        proxy.stop(),
        provider.stop(),
        catalogues.stop(),
      ]);
      for (const [, server] of servers) server.closeAllConnections();
      await Promise.all(servers.map(([, server]) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
