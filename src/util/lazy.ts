// Values created on first use and kept: data files and modules an idle service does not need.

/** `make` runs at most once, unless it throws. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
