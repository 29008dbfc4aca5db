// Two sites: a university's course catalogue names the lecturer, the department's staff pages have the office and the phone.
import { each, slug } from '../../../understand/labelled-page.ts';
import { number, object, taskTemplate, text } from '../../task.ts';

const COURSES_HOST = 'catalogue.halvorsen-university.test';
const STAFF_HOST = 'geology.halvorsen.test';
const COURSES = [
  ['GEO2140', 'Sedimentary Processes', '7.5', 'Spring', 'Ingeborg Falk'],
  ['GEO2210', 'Field Mapping', '15', 'Autumn', 'Dawit Haile'],
  ['GEO3305', 'Volcanic Hazards', '10', 'Spring', 'Marisol Quintero'],
] as const;
const STAFF = [
  ['Ingeborg Falk', 'Professor', 'B-214', '+47 55 58 31 04', 'i.falk@halvorsen.test'],
  ['Dawit Haile', 'Senior lecturer', 'B-118', '+47 55 58 31 77', 'd.haile@halvorsen.test'],
  ['Marisol Quintero', 'Associate professor', 'C-021', '+47 55 58 32 60', 'm.quintero@halvorsen.test'],
] as const;

const catalogue = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} - Course catalogue - Halvorsen University</title></head><body><div id="uni-header"><a href="/">Halvorsen University</a> | <a href="/courses">Courses</a> | <a href="/programmes">Programmes</a> | <a href="/exams">Exams</a></div><div id="content">${body}</div><div id="uni-footer">Halvorsen University, P.O. Box 7800. Responsible for this page: Student Affairs.</div></body></html>`;
const staff = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} – Department of Geology</title></head><body><header class="dept"><a href="/">Department of Geology</a><ul class="nav"><li><a href="/people">People</a></li><li><a href="/research">Research</a></li><li><a href="http://${COURSES_HOST}/courses">Course catalogue</a></li></ul></header><div class="page">${body}</div><footer>Visiting address: Allégaten 41. <a href="/news">News</a></footer></body></html>`;

const coursePage = ([code, name, credits, term, lecturer]: (typeof COURSES)[number]) =>
  catalogue(
    `${code} ${name}`,
    `<h1>${code} ${name}</h1><ul class="course-facts"><li><b>Credits:</b> ${credits} ECTS</li><li><b>Term:</b> ${term}</li><li><b>Course coordinator:</b> <a href="http://${STAFF_HOST}/people/${slug(lecturer)}">${lecturer}</a></li><li><b>Language:</b> English</li></ul><h2>Objectives</h2><p>Students learn to describe, interpret and question what rocks show. The exam is a report of ten pages.</p><h2>Admission</h2><p>At least 30 ECTS in the natural sciences.</p>`,
  );
const person = ([name, post, office, phone, mail]: (typeof STAFF)[number]) =>
  staff(
    name,
    `<h1>${name}</h1><p class="post">${post}</p><div class="contact"><div class="row"><div class="label">E-mail</div><div class="value"><a href="mailto:${mail}">${mail}</a></div></div><div class="row"><div class="label">Phone</div><div class="value">${phone}</div></div><div class="row"><div class="label">Office</div><div class="value">${office}</div></div></div><h2>Selected publications</h2><ul><li>Grain sizes in braided rivers (2021)</li><li>On the age of ash layers (2018)</li></ul>`,
  );

export const courseAndLecturer = taskTemplate({
  name: 'course-and-lecturer',
  sites: {
    [COURSES_HOST]: {
      '/': catalogue('Welcome', '<h1>Course catalogue</h1><p>All courses of the academic year 2025/26.</p>'),
      '/courses': catalogue(
        'Courses in geology',
        `<h1>Courses in geology</h1><table><thead><tr><th>Code</th><th>Name</th></tr></thead><tbody>${each(COURSES, ([code, name]) => `<tr><td>${code}</td><td><a href="/courses/${code.toLowerCase()}">${name}</a></td></tr>`)}</tbody></table>`,
      ),
      ...Object.fromEntries(COURSES.map((course) => [`/courses/${course[0].toLowerCase()}`, coursePage(course)])),
    },
    [STAFF_HOST]: {
      '/': staff('Home', '<h1>Department of Geology</h1><p>Thirty people who study how the ground moves.</p>'),
      '/people': staff(
        'People',
        `<h1>People</h1><ul>${each(STAFF, ([name, post]) => `<li><a href="/people/${slug(name)}">${name}</a>, ${post}</li>`)}</ul>`,
      ),
      ...Object.fromEntries(STAFF.map((one) => [`/people/${slug(one[0])}`, person(one)])),
    },
  },
  tasks: [
    {
      name: 'course-two-sites',
      prompt:
        'For the course GEO3305 Volcanic Hazards: how many ECTS credits, which term, who coordinates it, and what are the office and e-mail address of that person?',
      urls: [`http://${COURSES_HOST}/courses`, `http://${STAFF_HOST}/people`],
      schema: object({
        credits: number('ECTS'),
        term: text(),
        coordinator: text('course coordinator'),
        office: text('office of the coordinator'),
        email: text('e-mail address of the coordinator'),
      }),
      expected: {
        credits: 10,
        term: 'Spring',
        coordinator: 'Marisol Quintero',
        office: 'C-021',
        email: 'm.quintero@halvorsen.test',
      },
      pages: [`${COURSES_HOST}/courses/geo3305`, `${STAFF_HOST}/people/marisol-quintero`],
    },
  ],
});
