// JSON as bytes: what is large crosses threads and is stored in this form, and only those who need its values read it.

export const toJsonBytes = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));

/** The type is not checked: the caller knows who wrote the bytes. */
export const fromJsonBytes = <Value>(bytes: Uint8Array): Value => JSON.parse(new TextDecoder().decode(bytes)) as Value;
