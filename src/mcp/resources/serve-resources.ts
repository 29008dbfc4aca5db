// Serves the resources: their list, their templates, and reads. The matching of URIs is our own, because that of the SDK
// knows no optional parameters.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ApiError } from '../../client/api-error.ts';
import type { ResourceContext } from '../resource.ts';
import { findResource, listResources, RESOURCES } from './resources.ts';

const MEANS_ABSENT = new Set([400, 404]);

export function serveResources(server: Server, contextOf: (request: ServerContext) => ResourceContext): void {
  server.registerCapabilities({ resources: {} });
  server.setRequestHandler('resources/list', async (_request, ctx) => {
    const resources = await listResources(contextOf(ctx)).catch((error: unknown) => {
      throw protocolError(error);
    });
    return { resources };
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: RESOURCES.map(({ name, title, description, template, mimeType }) => ({
      ...{ name, title, description, uriTemplate: template },
      ...(mimeType !== undefined && { mimeType }),
    })),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const found = findResource(uri);
    if (!found) throw absent(uri, unknownUriText(uri));
    try {
      return { contents: [...(await found.kind.read(found.variables, contextOf(ctx)))] };
    } catch (error) {
      if (error instanceof ApiError && MEANS_ABSENT.has(error.status)) {
        throw absent(uri, error.message);
      }
      throw protocolError(error);
    }
  });
}

/** A refusal of the service becomes an error of the protocol with the same sentence. */
export function protocolError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { message, code, status } = error;
  return new ProtocolError(ProtocolErrorCode.InternalError, message, { code, status });
}

const absent = (uri: string, message: string): ProtocolError => new ResourceNotFoundError(uri, message);

const unknownUriText = (uri: string): string =>
  `There is no resource ${uri.slice(0, 200)}. The templates are: ${RESOURCES.map(({ template }) => template).join(', ')}.`;
