// A value that is made at its first use and kept: data files and modules that an idle service does without.

/** `make` runs at most once, unless it throws. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
