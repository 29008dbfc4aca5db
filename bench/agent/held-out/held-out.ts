// The held-out half of the tasks, for measuring only: see README.md.
import type { TaskTemplate } from '../task.ts';
import { clinicDirectory } from './institutions/clinic-directory.ts';
import { courseTable } from './institutions/course-table.ts';
import { townPermits } from './institutions/town-permits.ts';
import { fromagerie } from './markets/fromagerie.ts';
import { lampShop } from './markets/lamp-shop.ts';
import { lettings } from './markets/lettings.ts';
import { stellenanzeige } from './markets/stellenanzeige.ts';
import { athletics } from './texts/athletics.ts';
import { conference } from './texts/conference.ts';
import { diario } from './texts/diario.ts';
import { mailApiDocs } from './texts/mail-api-docs.ts';
import { mergerTwoSites } from './texts/merger-two-sites.ts';
import { releaseNotes } from './texts/release-notes.ts';
import { ricetta } from './texts/ricetta.ts';

export const heldOutTemplates: readonly TaskTemplate[] = [
  lampShop,
  fromagerie,
  lettings,
  stellenanzeige,
  clinicDirectory,
  courseTable,
  townPermits,
  mailApiDocs,
  diario,
  mergerTwoSites,
  athletics,
  releaseNotes,
  conference,
  ricetta,
];
