// Port: a place of the operator for files that leave the service.

export interface ExportBucket {
  /** Writes the content as it comes, in place of a former file of that name. Nothing is left of one that fails. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<WrittenExport>;
}

export interface WrittenExport {
  bucket: string;
  key: string;
  size: number;
}
