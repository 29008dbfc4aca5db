// Operations by the modules that export them, each under its name in the route table. A module is loaded with the first call
// of one of its operations, so that an idle service does without it.
import type { Intersection } from '../util/combine.ts';

/** What loads the module of each operation; there, it takes what it needs before the call. */
export type ModuleTable<Operations> = {
  [Id in keyof Operations]: () => Promise<Record<Id, Unbound<Operations[Id]>>>;
};
type Unbound<Operation> = Operation extends (call: infer Call) => infer Answer
  ? (deps: never, call: Call) => Answer
  : never;

/** What all operations of a table need together. */
export type DepsOf<Table> = Intersection<{ [Id in keyof Table]: DepsOfOne<Id, Table[Id]> }[keyof Table]>;
type DepsOfOne<Id extends PropertyKey, Load> = Load extends () => Promise<
  Record<Id, (deps: infer Deps, call: never) => unknown>
>
  ? Deps
  : never;

type Run<Call> = (call: Call, work: () => Promise<unknown>) => Promise<unknown>;

/** `table` and `deps` have been checked against each other by the types above; a name cannot be followed through a table. */
export function bindModules<Operations, Call = unknown>(
  table: object,
  deps: unknown,
  run: Run<Call> = (_call, work) => work(),
): Operations {
  type Module = Record<string, (deps: unknown, call: Call) => unknown>;
  const bind = (id: string, load: () => Promise<Module>) => {
    let module: Module | undefined;
    return (call: Call) =>
      run(call, async () => {
        module ??= await load();
        return module[id]!(deps, call);
      });
  };
  return Object.fromEntries(Object.entries(table).map(([id, load]) => [id, bind(id, load)])) as Operations;
}
