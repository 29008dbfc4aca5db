// A port as the store thread implements it: the same methods, but synchronous.

export type Synchronous<Port> = {
  [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Value
    : never;
};
