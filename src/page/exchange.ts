// One request and its response as they went over the wire: what an archive keeps.

export interface WireExchange {
  /** As requested, without a fragment. */
  url: string;
  method: string;
  /** When the response began. */
  at: number;
  status: number;
  /** The media type as sent, without parameters; empty if there was none. */
  type: string;
  /** The heads of the two messages, with the empty line that ends them. */
  request: Uint8Array;
  response: Uint8Array;
  /** After transfer codings were undone, and before content codings are. */
  body: Uint8Array;
  /** SHA-256 of the body, as hexadecimal digits. */
  digest: string;
  /** The body was not received, or not kept, to its end. */
  isTruncated: boolean;
  /** The title, if the response is a page and not a part of one. */
  page?: string;
}
