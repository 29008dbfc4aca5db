// Where an S3 bucket is and how it is used, as the settings say.

export interface S3Settings {
  /** For example `http://127.0.0.1:9000`, or `https://bucket.s3.eu-west-1.amazonaws.com`. */
  origin: string;
  /** Path of the bucket: `/bucket`, or empty if the host already names it. */
  root: string;
  bucket: string;
  /** Before every key, with a slash at its end, or empty: several installations can share a bucket. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  /** Callers download files from the bucket itself. */
  hasPresignedLinks: boolean;
}
