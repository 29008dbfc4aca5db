// Finds the route of a dialect for a path below its prefix.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Method } from '../contracts/routes.ts';
import type { DialectRoute, DialectTable } from './dialect.ts';

export interface FoundRoute {
  route: DialectRoute;
  params: Record<string, string>;
}

/** `path` is '' or begins with a slash, and has none at its end. Throws NOT_FOUND or METHOD_NOT_ALLOWED. */
export function findRoute({ routes }: Pick<DialectTable, 'routes'>, method: string, path: string): FoundRoute {
  const parts = path.split('/');
  const matching = routes.flatMap((route) =>
    route.paths.flatMap((pattern) => {
      const params = match(pattern.split('/'), parts);
      return params ? [{ route, params }] : [];
    }),
  );
  if (matching.length === 0) throw new ServiceError('NOT_FOUND', { message: NOT_HERE });
  // The answer to HEAD is that to GET without its body.
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = matching.find(({ route }) => route.methods.includes(asked as Method));
  if (found) return found;
  const allow = [...new Set(matching.flatMap(({ route }) => route.methods))].join(', ');
  throw new ServiceError('METHOD_NOT_ALLOWED', { message: `This path takes ${allow}.`, headers: { allow } });
}

const NOT_HERE = 'There is nothing at this path. /docs/use/use-from says which paths this wire has.';

/** Fixed paths stand before those with parameters in the tables. A last parameter written as `*name` takes slashes along. */
function match(pattern: readonly string[], sent: readonly string[]): Record<string, string> | undefined {
  const last = pattern.length - 1;
  const isOpen = pattern[last]!.startsWith('*');
  const parts = isOpen && sent.length > last ? [...sent.slice(0, last), sent.slice(last).join('/')] : sent;
  if (pattern.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, name] of pattern.entries()) {
    if (/^[:*]/.test(name)) params[name.slice(1)] = decoded(parts[at]!);
    else if (name !== parts[at]) return undefined;
  }
  return params;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
