/** The Python that has the SDK; undefined unless it is installed. */
export function pythonSdk(): string | undefined;
