// A hospital's directory: departments on pages of their own, people in definition lists and address blocks.
import { each, slug } from '../../../understand/labelled-page.ts';
import { listOf, object, taskTemplate, text } from '../../task.ts';

const HOST = 'stbrigidhospital.test';
interface Department {
  name: string;
  floor: string;
  phone: string;
  /** Name and post, the head first. */
  people: [string, string][];
}
const DEPARTMENTS: Department[] = [
  {
    name: 'Cardiology',
    floor: 'Level 3, east wing',
    phone: '020 5550 3301',
    people: [
      ['Dr Nkechi Obiora', 'Head of department'],
      ['Dr Samuel Thwaite', 'Consultant'],
      ['Lena Marsh', 'Ward manager'],
    ],
  },
  {
    name: 'Neurology',
    floor: 'Level 5',
    phone: '020 5550 5102',
    people: [
      ['Prof Anselm Richter', 'Head of department'],
      ['Dr Farah Jamil', 'Consultant'],
    ],
  },
  {
    name: 'Radiology',
    floor: 'Basement',
    phone: '020 5550 0114',
    people: [
      ['Dr Helen Szabo', 'Head of department'],
      ['Marcus Pell', 'Lead radiographer'],
    ],
  },
];
const path = (one: Department) => `/departments/${slug(one.name)}`;
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>${title} : St Brigid's Hospital</title></head><body><div role="alert">Please wear a mask if you have a cough.</div><nav aria-label="Main"><ul><li><a href="/">Home</a></li><li><a href="/departments">Departments</a></li><li><a href="/visiting">Visiting</a></li><li><a href="/donate">Donate</a></li></ul></nav><main>${body}</main><footer><address>St Brigid's Hospital, Canal Way. Switchboard 020 5550 0000</address></footer></body></html>`;
const page = (one: Department) =>
  layout(
    one.name,
    `<h1>${one.name}</h1><p>${one.floor}. Reception: ${one.phone}</p><h2>People</h2><dl>${each(one.people, ([name, post]) => `<dt>${name}</dt><dd>${post}</dd>`)}</dl><h2>Referrals</h2><p>Ask your doctor to write to us. We see urgent patients within two weeks.</p>`,
  );

export const clinicDirectory = taskTemplate({
  name: 'clinic-directory',
  sites: {
    [HOST]: {
      '/': layout('Welcome', '<h1>St Brigid’s Hospital</h1><p>Caring for the canal district since 1887.</p>'),
      '/departments': layout(
        'Departments',
        `<h1>Departments</h1><ul>${each(DEPARTMENTS, (one) => `<li><a href="${path(one)}">${one.name}</a></li>`)}</ul>`,
      ),
      ...Object.fromEntries(DEPARTMENTS.map((one) => [path(one), page(one)])),
      '/visiting': layout(
        'Visiting',
        '<h1>Visiting</h1><table><tr><th>Ward</th><th>Hours</th></tr><tr><td>General wards</td><td>2 pm to 8 pm</td></tr><tr><td>Intensive care</td><td>By arrangement</td></tr></table><p>Two visitors at a bed at most.</p>',
      ),
    },
  },
  tasks: [
    {
      name: 'clinic-heads',
      prompt:
        'Who leads each department of St Brigid’s Hospital? Give the department, its head of department and the phone number of its reception.',
      urls: [`http://${HOST}/departments`],
      schema: object({
        departments: listOf({
          name: text('name of the department'),
          head: text('head of department'),
          phone: text('phone number of the reception'),
        }),
      }),
      expected: { departments: DEPARTMENTS.map(({ name, phone, people }) => ({ name, head: people[0]![0], phone })) },
      pages: DEPARTMENTS.map((one) => HOST + path(one)),
    },
  ],
});
