// A port as the store thread serves it: the same methods, answered at once.

export type Served<Port> = {
  [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Value
    : never;
};
