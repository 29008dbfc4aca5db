// Which web pages may call this service: with authentication, any page that has a key; without, only its own pages.
// Otherwise any site open in a local browser could use the service, also by DNS rebinding.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { DOCUMENTS_HEADER, JOB_STATUS_HEADER } from '../../contracts/crawl/export.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { createOwnHostTest } from '../../urls/own-host.ts';
import { bareHost, portOf } from '../../urls/url.ts';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
// By the Fetch standard, `*` covers every header but Authorization.
const ANY_HEADER = 'Authorization, *';
const EXPOSED = [
  ...['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'WWW-Authenticate'],
  ...[
    'Mcp-Session-Id',
    'Content-Disposition',
    ...['Accept-Ranges', 'Content-Range', 'ETag'],
    JOB_STATUS_HEADER,
    DOCUMENTS_HEADER,
  ],
].join(', ');

/**
 * Allows cross-origin calls. That is safe because every such call needs a key: pages of other sites may not send cookies along
 * (`*` excludes them), and a session cookie counts for pages of our own only, see page-sessions.ts.
 */
export function allowCrossOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', EXPOSED);
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return;
    reply.header('access-control-allow-methods', METHODS);
    reply.header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? ANY_HEADER);
    reply.header('access-control-max-age', '86400');
    return reply.code(204).send();
  });
}

export function refuseOtherOrigins(app: FastifyInstance, publicUrl: string | undefined): void {
  const isPublic = createOwnHostTest(publicUrl);
  app.addHook('onRequest', async (request) => {
    const host = hostOf(request);
    if (!host || !(isLocalName(host) || isPublic(bareHost(host), portOf(host)))) {
      throw new ServiceError('FORBIDDEN_ORIGIN', {
        message:
          'While authentication is off, the Host header must be a loopback name, an IP address or the host of TRAWL_PUBLIC_URL.',
      });
    }
    const { origin } = request.headers;
    if (origin !== undefined && URL.parse(origin)?.host !== host.host) throw new ServiceError('FORBIDDEN_ORIGIN');
  });
}

export const hostOf = (request: FastifyRequest) => URL.parse(`http://${request.headers.host ?? ''}`);

export function isLocalName(host: URL): boolean {
  const name = bareHost(host);
  return name === 'localhost' || name.endsWith('.localhost') || ipaddr.isValid(name);
}
