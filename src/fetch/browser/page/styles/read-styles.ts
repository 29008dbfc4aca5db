// Reads how a page looks, in an isolated world that its scripts cannot reach, within limits of elements, time and size.
import type { CDPSession, Page } from 'playwright-core';
import { type PageStyles, parsePageStyles } from '../../../../page/page-styles.ts';
import { withCdpSession } from '../../cdp-session.ts';
import { boxStyle, buttonStyle, isButton, isField } from './collect-components.ts';
import { collectDrawing, copyDrawing, copyGeometry, copyPaints } from './collect-drawing.ts';
import {
  describeLogos,
  labelsAround,
  leadsHome,
  logoCandidate,
  nameOfPicture,
  pictureAddress,
} from './collect-logos.ts';
import { collectNames, collectVariables } from './collect-names.ts';
import {
  addBox,
  addIcon,
  addText,
  type CollectLimits,
  collectStyles,
  createSums,
  isBanner,
  placeOf,
  roleOf,
  visitElement,
} from './collect-styles.ts';
import { accessPage } from './page-access.ts';

const LIMITS: CollectLimits = { elements: 6_000, ms: 2_000 };
/** When the browser ends the script, whatever it is doing. */
const END_MS = 5_000;

/** Each is sent as its source text, so they find one another by name. */
const FUNCTIONS = [
  accessPage,
  boxStyle,
  buttonStyle,
  isButton,
  isField,
  collectDrawing,
  copyDrawing,
  copyGeometry,
  copyPaints,
  logoCandidate,
  labelsAround,
  leadsHome,
  pictureAddress,
  nameOfPicture,
  describeLogos,
  collectNames,
  collectVariables,
  createSums,
  roleOf,
  placeOf,
  addText,
  addBox,
  addIcon,
  isBanner,
  visitElement,
  collectStyles,
];

/** Undefined if the page cannot be measured. */
export const readStyles = (page: Page): Promise<PageStyles | undefined> => withCdpSession(page, collect);

async function collect(session: CDPSession): Promise<PageStyles | undefined> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'styles' });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId: world.executionContextId,
    expression: `(() => {\n${FUNCTIONS.join('\n')}\nreturn collectStyles(${JSON.stringify(LIMITS)});\n})()`,
    returnByValue: true,
    timeout: END_MS,
  });
  return exceptionDetails ? undefined : parsePageStyles(result.value);
}
