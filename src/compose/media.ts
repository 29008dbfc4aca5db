// The parts that fetch audio and video: the machine's programs and their work folders.
import type { Config } from '../config/settings.ts';
import type { Identify } from '../fetch/identity.ts';
import { createMedia } from '../media/create-media.ts';
import { findTools } from '../media/tools/find-tools.ts';
import { createWorkFolders } from '../media/work-folders.ts';
import type { Egress } from '../net/egress.ts';
import type { FileLinks } from '../operations/files.ts';
import { createMediaCollector, type MediaCollector } from '../operations/page/media.ts';
import type { Clock } from '../util/clock.ts';

interface Deps {
  egress: Egress;
  fileLinks: Pick<FileLinks, 'adopt'>;
  identify: Identify;
  clock: Clock;
}

/** Call after the data folder is locked: it deletes what an earlier run left in the work folders. */
export function composeMedia(config: Config, { egress, fileLinks, identify, clock }: Deps): MediaCollector {
  const folders = createWorkFolders(config.dataDir);
  const media = createMedia({
    tools: findTools(config),
    egress,
    folders,
    maxBytes: config.maxMediaBytes,
    clock,
  });
  return createMediaCollector({ media, fileLinks, identify });
}
