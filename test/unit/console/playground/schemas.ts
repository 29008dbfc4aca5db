// The schemas of every operation of the playground, as the build gives them to the console.
import { requestSchema } from '../../../../scripts/console/request-schema.ts';
import { ROUTES, type Route } from '../../../../src/contracts/routes.ts';
import type { JsonSchema } from '../../../../web/console/playground/form/json-schema.ts';
import { OPERATION_INFO } from '../../../../web/console/playground/operations/operations.ts';
import { OPERATIONS, type Operation } from '../../../../web/console/playground/run/run.ts';

export interface OperationSchema {
  operation: Operation;
  schema: JsonSchema;
  route: Route;
}

export const SCHEMAS: readonly OperationSchema[] = OPERATIONS.map((operation) => {
  const route: Route = ROUTES[OPERATION_INFO[operation].call];
  return { operation, route, schema: requestSchema(route.request!) };
});

/** The schema that a reference stands for. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, ...own } = schema;
  return $ref === undefined ? schema : { ...resolve(root.$defs![$ref.split('/').at(-1)!]!, root), ...own };
}
