// Evening classes of a college: one wide table with merged cells for the subject, fees in notes below.
import { each } from '../../../understand/labelled-page.ts';
import { integer, listOf, number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'westmerecollege.test';
type Row = [code: string, name: string, day: string, weeks: number, fee: number];
const COURSES: [subject: string, rows: Row[]][] = [
  [
    'Languages',
    [
      ['LG101', 'Italian for beginners', 'Monday', 10, 135],
      ['LG204', 'German conversation', 'Wednesday', 8, 110],
    ],
  ],
  [
    'Crafts',
    [
      ['CR110', 'Bookbinding', 'Tuesday', 6, 168],
      ['CR115', 'Silver jewellery', 'Thursday', 12, 290],
    ],
  ],
];
const layout = (title: string, body: string) =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title} | Westmere College</title></head><body><table class="nav"><tr><td><a href="/">Westmere College</a></td><td><a href="/evening">Evening classes</a></td><td><a href="/degrees">Degrees</a></td><td><a href="/portal">Student portal</a></td></tr></table>${body}<p class="small">Westmere College is a member of the Federation of Adult Education. Text size: A A A</p></body></html>`;

export const courseTable = taskTemplate({
  name: 'course-table',
  sites: {
    [HOST]: {
      '/': layout(
        'Learn something',
        '<h1>Learn something this spring</h1><p>Enrolment for <a href="/evening">evening classes</a> opens on 16 February.</p>',
      ),
      '/evening': layout(
        'Evening classes',
        `<h1>Evening classes, spring 2026</h1><table border="1"><caption>All classes begin at 18:30</caption><thead><tr><th>Subject</th><th>Code</th><th>Class</th><th>Day</th><th>Weeks</th><th>Fee</th></tr></thead><tbody>${each(COURSES, ([subject, rows]) => each(rows, ([code, name, day, weeks, fee], at) => `<tr>${at === 0 ? `<td rowspan="${rows.length}">${subject}</td>` : ''}<td>${code}</td><td>${name}</td><td>${day}</td><td>${weeks}</td><td>$${fee}</td></tr>`))}</tbody></table><p>Materials for Silver jewellery cost $60 extra. Seniors get 15 % off.</p>`,
      ),
      '/portal': {
        content: layout(
          'Student portal',
          '<h1>Sign in</h1><form><input name="id" placeholder="Student ID"><input type="password"><button>Sign in</button></form>',
        ),
        status: 403,
      },
      '/degrees': layout('Degrees', '<h1>Degrees</h1><p>We award associate degrees in nursing and accounting.</p>'),
    },
  },
  tasks: [
    {
      name: 'classes-list',
      prompt: 'All evening classes with code, name, day, number of weeks and fee',
      urls: [`http://${HOST}/`],
      schema: object({
        classes: listOf({ code: text(), name: text(), day: text(), weeks: integer(), fee: number('in dollars') }),
      }),
      expected: {
        classes: COURSES.flatMap(([, rows]) =>
          rows.map(([code, name, day, weeks, fee]) => ({ code, name, day, weeks, fee })),
        ),
      },
      pages: [`${HOST}/evening`],
    },
  ],
});
