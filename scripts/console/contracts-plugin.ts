// Gives the console what it needs of the contracts as data, without the validator: `contracts:routes` is method and path of
// every call, `contracts:schema/CALL` the JSON schema of its body, `contracts:command/CALL` the command of the command line
// that makes it, `contracts:tool/NAME` the arguments of a tool of the MCP server, and `contracts:programs` what other programs
// are told to use this service.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { commandOf } from './command-of.ts';
import { requestSchema } from './request-schema.ts';
import { PROGRAMS } from './sources.mjs';
import { toolOf } from './tool-of.ts';

const CONTENTS: Readonly<Record<string, (name: string) => unknown>> = {
  routes: () => Object.fromEntries(Object.entries(ROUTES).map(([id, { method, path }]) => [id, `${method} ${path}`])),
  schema: schemaOf,
  command: commandOf,
  tool: toolOf,
  programs: listPrograms,
};

export function contractsPlugin(): Plugin {
  return {
    name: 'contracts',
    setup(build) {
      build.onResolve({ filter: /^contracts:/ }, ({ path }) => ({
        path: path.slice('contracts:'.length),
        namespace: 'contracts',
      }));
      build.onLoad({ filter: /.*/, namespace: 'contracts' }, async ({ path }) => {
        const [kind = '', name = ''] = path.split('/');
        const contents = CONTENTS[kind];
        if (!contents) throw new Error(`The console asks for contracts:${path}, which does not exist.`);
        return { loader: 'json', contents: JSON.stringify(await contents(name)) };
      });
    },
  };
}

/** Without the requests by which they are tested. */
function listPrograms(): object[] {
  const programs = JSON.parse(readFileSync(PROGRAMS, 'utf8')) as { request: object }[];
  return programs.map(({ request: _, ...shown }) => shown);
}

function schemaOf(id: string): unknown {
  const route: Route | undefined = ROUTES[id as keyof typeof ROUTES];
  if (!route?.request) throw new Error(`The call ${id} does not exist or takes no body.`);
  return requestSchema(route.request);
}
