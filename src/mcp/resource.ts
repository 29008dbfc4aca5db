// What a kind of resource of the MCP server is: a template of URIs, and a function that reads one with calls of the service.
import type { ApiClient } from '../client/api-client.ts';

export interface ResourceContext {
  api: ApiClient;
  /** Aborts when the client cancels the request or is gone. */
  signal: AbortSignal;
  /** The most characters of one read; the text says where the rest is. */
  maxAnswer: number;
}

/** A resource that clients see without a search for it. */
export interface ListedResource {
  uri: string;
  /** Short, for menus. */
  name: string;
  title?: string;
  description?: string;
  mimeType: string;
  /** In bytes, if known. */
  size?: number;
}

export interface ResourceText {
  uri: string;
  mimeType: string;
  text: string;
}

export interface ResourceKind {
  name: string;
  title: string;
  description: string;
  /** With `{name}` for a part of the path and `{?name,name}` for optional parameters, as in RFC 6570. */
  template: `trawl://${string}`;
  /** Absent if it differs from one resource to the next. */
  mimeType?: string;
  /** A bounded list of those that exist. */
  list?(context: ResourceContext): Promise<readonly ListedResource[]>;
  /** Throws ApiError; one with the status 400 or 404 means that there is no such resource. */
  read(variables: Readonly<Record<string, string>>, context: ResourceContext): Promise<readonly ResourceText[]>;
}
