// Which installation an index belongs to: another one would show its pages, and clear it.
import type { Engine } from './engine.ts';

interface Mapping {
  mappings?: { _meta?: { installation?: string } };
}

/** False if somebody else has made the index. */
export async function isOwnIndex(engine: Engine, name: string, installation: string | undefined): Promise<boolean> {
  if (installation === undefined) return true;
  const { status, body } = await engine.call<Record<string, Mapping>>({ method: 'GET', path: `/${name}/_mapping` });
  const owner = status === 200 ? body[name]?.mappings?._meta?.installation : undefined;
  return owner === undefined || owner === installation;
}
