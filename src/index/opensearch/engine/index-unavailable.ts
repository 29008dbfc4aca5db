// OpenSearch did not answer, or not usefully. The `code` survives the way from the index thread to the service.
export const UNAVAILABLE = 'INDEX_UNAVAILABLE';

export class IndexUnavailable extends Error {
  readonly code = UNAVAILABLE;
}
