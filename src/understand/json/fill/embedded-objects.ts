// Objects and lists of objects in data that scripts of the page carry.

const MAX_STEPS = 20_000;

export interface EmbeddedObjects {
  objects: object[];
  /** Lists with at least two objects, by the name of their property. */
  lists: { name: string; objects: object[] }[];
}

export function embeddedObjects(embedded: readonly unknown[]): EmbeddedObjects {
  const objects: object[] = [];
  const lists: EmbeddedObjects['lists'] = [];
  const open: { name: string; value: unknown }[] = embedded.map((value) => ({ name: '', value }));
  for (let step = 0; step < open.length && step < MAX_STEPS; step++) {
    const { name, value } = open[step]!;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      const members = value.filter(
        (each): each is object => typeof each === 'object' && each !== null && !Array.isArray(each),
      );
      if (members.length > 1) lists.push({ name, objects: members });
      for (const each of value.slice(0, 200)) open.push({ name, value: each });
      continue;
    }
    objects.push(value);
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object' && inner !== null) open.push({ name: key, value: inner });
    }
  }
  return { objects, lists };
}
