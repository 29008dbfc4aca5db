// Files for others in the bucket: written as they are made, beside the blobs of the service, and never read or removed by it.
import type { ExportBucket } from '../../ports/files/export-bucket.ts';
import { PART_SIZES, type PartSizes, putStream } from './multipart.ts';
import { asUnavailable } from './s3-fault.ts';
import { createS3Requests } from './s3-requests.ts';
import type { S3Settings } from './s3-settings.ts';

/** Under the prefix. The service never removes what it has written there: that is up to the operator of the bucket. */
export const EXPORT_FOLDER = 'exports/';

export function createS3Exports(settings: S3Settings, sizes: PartSizes = PART_SIZES): ExportBucket {
  return {
    async write(name, content) {
      const key = settings.prefix + EXPORT_FOLDER + name;
      const requests = createS3Requests(settings);
      try {
        return { bucket: settings.bucket, key, size: await putStream(requests, key, content, sizes) };
      } catch (error) {
        throw asUnavailable(error);
      } finally {
        await requests.close();
      }
    },
  };
}
