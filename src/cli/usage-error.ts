// A command that cannot be run. The message is one sentence for the person who typed it.

export class UsageError extends Error {}
