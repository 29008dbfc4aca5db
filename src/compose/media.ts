// Everything for audio and video: the programs of this machine, and where their work lies.
import type { Config } from '../config/settings.ts';
import { createMedia } from '../media/create-media.ts';
import { findTools } from '../media/find-tools.ts';
import { createWorkFolders } from '../media/work-folders.ts';
import type { Egress } from '../net/egress.ts';
import type { FileLinks } from '../operations/files.ts';
import { createMediaCollector, type MediaCollector } from '../operations/page/media.ts';
import type { Clock } from '../util/clock.ts';

interface Deps {
  egress: Egress;
  fileLinks: Pick<FileLinks, 'adopt'>;
  clock: Pick<Clock, 'now'>;
}

/** Only once the data folder is this service's: what an earlier one left of its work is removed. */
export function composeMedia(config: Config, { egress, fileLinks, clock }: Deps): MediaCollector {
  const folders = createWorkFolders(config.dataDir);
  const media = createMedia({
    tools: findTools(config),
    egress,
    folders,
    maxBytes: config.maxMediaBytes,
    clock,
  });
  return createMediaCollector({ media, fileLinks, userAgent: config.userAgent });
}
