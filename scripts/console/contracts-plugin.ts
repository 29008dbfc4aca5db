// Gives the console what it needs of the contracts as data, without the validator: `contracts:routes` is method and path of
// every call, `contracts:schema/NAME` the JSON schema of a call's body.
import type { Plugin } from 'esbuild';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { requestSchema } from './request-schema.ts';

const SCHEMA = 'schema/';

export function contractsPlugin(): Plugin {
  return {
    name: 'contracts',
    setup(build) {
      build.onResolve({ filter: /^contracts:/ }, ({ path }) => ({
        path: path.slice('contracts:'.length),
        namespace: 'contracts',
      }));
      build.onLoad({ filter: /.*/, namespace: 'contracts' }, ({ path }) => ({
        loader: 'json',
        contents: JSON.stringify(path.startsWith(SCHEMA) ? schemaOf(path.slice(SCHEMA.length)) : contents(path)),
      }));
    },
  };
}

function contents(name: string): unknown {
  if (name !== 'routes') throw new Error(`The console asks for contracts:${name}, which does not exist.`);
  return Object.fromEntries(Object.entries(ROUTES).map(([id, { method, path }]) => [id, `${method} ${path}`]));
}

function schemaOf(id: string): unknown {
  const route: Route | undefined = ROUTES[id as keyof typeof ROUTES];
  if (!route?.request) throw new Error(`The call ${id} does not exist or takes no body.`);
  return requestSchema(route.request);
}
