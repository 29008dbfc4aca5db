// Settings of what operators see: the name of the process, and where its traces go. Traces have the variables of OpenTelemetry.
import { hostname } from 'node:os';
import { z } from 'zod';
import { SettingError } from '../util/setting-error.ts';
import { httpUrl, readBy, setting } from './rules.ts';

const MAX_NAME = 64;

/** As the specification of OpenTelemetry writes them: `name=value,other=value`, percent-encoded. */
const headerList = readBy((text) =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        if (at < 1) throw new SettingError('it must be a list such as name=value,other=value');
        return [pair.slice(0, at).trim().toLowerCase(), decodeURIComponent(pair.slice(at + 1).trim())];
      }),
  ),
);

export const TELEMETRY_SETTINGS = {
  processName: setting(
    'TRAWL_PROCESS_NAME',
    'host name and process id',
    z
      .string()
      .regex(/^[\w.:-]+$/, 'it may have letters, digits and . : _ -')
      .max(MAX_NAME, `it must have at most ${MAX_NAME} characters`)
      .default(`${hostname().slice(0, MAX_NAME - 10)}-${process.pid}`),
    'Names this process in metrics, logs and traces, if several share a database.',
  ),
  traceEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'none: no traces',
    httpUrl.optional(),
    'Where traces go: an OpenTelemetry collector for OTLP over HTTP, for example http://collector:4318.',
  ),
  traceHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'none',
    headerList.optional(),
    'Headers for the collector, such as `authorization=Bearer%20...`.',
    true,
  ),
  traceRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    z
      .string()
      .regex(/^(0|1|0?\.\d+|1\.0+)$/, 'it must be a number from 0 to 1')
      .transform(Number)
      .default(1),
    'Share of traces that is recorded, from 0 to 1, unless the sender of a request has decided.',
  ),
  serviceName: setting(
    'OTEL_SERVICE_NAME',
    'trawl',
    z.string().max(200).default('trawl'),
    'Name of the service in traces.',
  ),
};
