// What goes in and out of a call, as types of its entry in the route table: for the operations behind it, and for clients.
import type { z } from 'zod';
import type { OperationId, ROUTES } from './routes.ts';

type Routes = typeof ROUTES;
type RequestSchema<Id extends OperationId> = Routes[Id] extends { request: infer Schema extends z.ZodType }
  ? Schema
  : z.ZodUndefined;
type QuerySchema<Id extends OperationId> = Routes[Id] extends { query: infer Schema extends z.ZodType }
  ? Schema
  : z.ZodRecord<z.ZodNever, z.ZodNever>;

/** Routes that need no key. */
export type OpenOperation = { [Id in OperationId]: Routes[Id] extends { open: true } ? Id : never }[OperationId];
export type KeyedOperation = Exclude<OperationId, OpenOperation>;

/** A validated body. */
export type BodyOf<Id extends OperationId> = z.output<RequestSchema<Id>>;
/** A body as a client sends it. */
export type SentBody<Id extends OperationId> = z.input<RequestSchema<Id>>;
/** A validated query string. */
export type QueryOf<Id extends OperationId> = z.output<QuerySchema<Id>>;

type ParamNames<Path extends string> = Path extends `${infer Start}/${infer Rest}`
  ? ParamNames<Start> | ParamNames<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never;
export type ParamsOf<Id extends OperationId> = Record<ParamNames<Routes[Id]['path']>, string>;

/** What the server may answer. */
export type ResponseOf<Id extends OperationId> = z.input<Routes[Id]['response']>;
