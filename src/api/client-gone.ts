// The reason why work is cancelled when its client disconnects. Nobody is left to be answered, and nothing went wrong here.

export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection.');
    this.name = 'ClientGone';
  }
}

/** Also true for errors that were made from it on the way. */
export function isClientGone(error: unknown): boolean {
  for (let reason = error; reason instanceof Error; reason = reason.cause)
    if (reason instanceof ClientGone) return true;
  return false;
}
