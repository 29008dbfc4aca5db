// Puts the components of an OpenAPI description in the places of the references to them.

/** What stands beside a reference, such as its description, replaces that of the component. */
export function dereference<T>(description: object): T {
  const known = new Map<string, object>();
  const resolve = (pointer: string): object => {
    const found = known.get(pointer) ?? (write(at(description, pointer)) as object);
    known.set(pointer, found);
    return found;
  };
  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...fields } = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, write(each)]));
    return typeof $ref === 'string' ? { ...resolve($ref), ...fields } : fields;
  };
  return write(description) as T;
}

function at(description: object, pointer: string): object {
  const value = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], description);
  if (typeof value !== 'object' || value === null) throw new Error(`${pointer} leads to nothing.`);
  return value;
}
