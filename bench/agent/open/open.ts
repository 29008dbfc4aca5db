// The open half of the tasks: single results may be looked at while the agent is built.
import type { TaskTemplate } from '../task.ts';
import { annoncesImmo } from './commerce/annonces-immo.ts';
import { jobPages } from './commerce/job-pages.ts';
import { zeltLaden } from './commerce/zelt-laden.ts';
import { choirCommittee } from './people/choir-committee.ts';
import { companyRegister } from './people/company-register.ts';
import { courseAndLecturer } from './people/course-and-lecturer.ts';
import { breadRecipes } from './texts/bread-recipes.ts';
import { councilBudget } from './texts/council-budget.ts';
import { leagueTables } from './texts/league-tables.ts';
import { queueDocs } from './texts/queue-docs.ts';
import { salaConciertos } from './texts/sala-conciertos.ts';
import { toolChangelog } from './texts/tool-changelog.ts';
import { townNews } from './texts/town-news.ts';

export const openTemplates: readonly TaskTemplate[] = [
  zeltLaden,
  annoncesImmo,
  jobPages,
  choirCommittee,
  companyRegister,
  courseAndLecturer,
  queueDocs,
  townNews,
  toolChangelog,
  leagueTables,
  salaConciertos,
  breadRecipes,
  councilBudget,
];
