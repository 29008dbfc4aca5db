// The one-time link in the address: `#login=TOKEN`.

const LOGIN_HASH = /^#login=([\w-]{1,100})$/;

/** The token of such an address. */
export const readLoginHash = (hash: string): string | undefined => LOGIN_HASH.exec(hash)?.[1];
