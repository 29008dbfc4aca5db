// What a kind of resource of the MCP server is: a template of URIs, and a function that reads one with calls of the service.
import type { ToolContext } from './tool.ts';

export type ResourceContext = Pick<ToolContext, 'api' | 'signal' | 'maxAnswer'>;

/** A resource that clients offer in a menu. */
export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  mimeType?: string;
  /** In bytes, if known. */
  size?: number;
}

export interface ResourceText {
  uri: string;
  mimeType: string;
  text: string;
}

export type ResourceVariables = Readonly<Record<string, string>>;

export interface ResourceKind {
  name: string;
  title: string;
  description: string;
  /** With `{name}` for a part of the path, `{+name}` for the rest of it, `{?name,name}` for optional parameters: RFC 6570. */
  template: `trawl://${string}`;
  /** Absent if it differs from one resource to the next. */
  mimeType?: string;
  /** Values that a variable can have, as far as they are known. */
  values?: Readonly<Record<string, (context: ResourceContext) => Promise<readonly string[]>>>;
  /** Throws ApiError; the status 400 or 404 means that there is no such resource. */
  read(variables: ResourceVariables, context: ResourceContext): Promise<readonly ResourceText[]>;
}
