// What docs/openapi.json does not say of the routes: their policy, and what of a route decides how it is bound. Methods, paths, ids,
// schemas and error codes are in that file, and test/docs.test.ts compares it with the route table.
import { test } from 'node:test';
import type { ErrorCode } from '../../src/contracts/errors/errors.ts';
import { ERROR_TABLE } from '../../src/contracts/errors/errors.ts';
import { routeErrors } from '../../src/contracts/errors/route-errors.ts';
import type { KeyedOperation } from '../../src/contracts/route-types.ts';
import { type OperationId, ROUTES, type Route } from '../../src/contracts/routes.ts';
import { ROUTE_POLICY } from '../../src/policy/route-policy.ts';
import { compareWithGolden } from './golden.ts';

test('the policy and the binding of every route are as recorded', () => {
  const routes = Object.entries(ROUTES) as [OperationId, Route][];
  const found = routes.map(([id, route]) => [`${route.method} ${route.path}`, described(id, route)]);
  compareWithGolden('routes', new Map([['routes', Object.fromEntries(found)]]));
});

/** Prices that depend on a body are recorded by the name of their function. */
const withNames = ({ costs, ...policy }: { costs?: { name: string } }) => ({
  ...(costs && { costs: costs.name }),
  ...policy,
});

function described(id: OperationId, route: Route): object {
  const { operator, maxBodyBytes, invalidRequest, repeatable, errorStyle, cacheControl, deprecated, fetches } = route;
  const withoutCode = routeErrors(route).filter((code: ErrorCode) => ERROR_TABLE[code].sentAs === null);
  return {
    ...{ id, operator, maxBodyBytes, invalidRequest, repeatable, errorStyle, cacheControl, fetches },
    ...(deprecated && { replacement: deprecated.replacement }),
    ...(withoutCode.length > 0 && { errorsWithoutCode: withoutCode }),
    ...(!route.open && { policy: withNames(ROUTE_POLICY[id as KeyedOperation]) }),
  };
}
