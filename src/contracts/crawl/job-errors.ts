// The errors of jobs: a part of the one table in error-table.ts.

export const JOB_STATE_ERRORS = {
  INVALID_JOB_ID: { status: 400, text: 'Invalid job ID format. Job ID must be a valid UUID.' },
  JOB_NOT_FOUND: { status: 404, text: 'Job not found.' },
  JOB_FINISHED: { status: 409, text: 'The job has already ended. Start a new one.' },
  IDEMPOTENCY_KEY_USED: { status: 409, text: 'Idempotency key already used' },
  JOB_OF_MONITOR: {
    status: 409,
    text: 'A monitor has started this job and waits for its end. Change or pause the monitor instead.',
  },
  JOB_UNFINISHED: {
    status: 409,
    text: 'The job has not ended, so its export would be incomplete. Wait for its end, or send `partial=true` to export the pages that it has so far.',
  },
  NO_EXPORT_BUCKET: {
    status: 400,
    text: 'This server has no bucket to write exports to. Download the export, or ask the operator to set TRAWL_BLOBS_URL.',
  },
  EXPORT_NOT_STORED: {
    status: 403,
    text: 'Nothing of a job with `zeroDataRetention` may be stored elsewhere. Download its export while the job is kept.',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    text: 'Webhook call not found. GET /v2/webhooks/deliveries lists those of your team; old ones are removed after 7 days.',
  },
  DELIVERY_GONE: {
    status: 409,
    text: 'The content of this webhook call is no longer stored, so it cannot be sent again. Run the job again, or read its results if it still exists.',
  },
} as const;
