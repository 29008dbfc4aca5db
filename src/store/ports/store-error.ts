// An engine that the settings name cannot be used, so the service cannot start. The text is for people.
export class StoreError extends Error {}
