// The staff of an institute: a heading and a definition list for each person.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const person = (name: string, role: string, room: string, phone: string, mail: string) => ({
  name,
  role,
  room,
  phone,
  mail,
});
const ITEMS = [
  {
    unit: 'Glaciology',
    people: [
      person('Dr. Solveig Aune', 'Head of group', 'B 214', '+47 555 01 14', 'saune@polar.example'),
      person('Mikkel Ravn', 'PhD candidate', 'B 220', '+47 555 01 20', 'mravn@polar.example'),
      person('Yuki Tanaka', 'Technician', 'Lab 3', '+47 555 01 33', 'ytanaka@polar.example'),
    ],
  },
  {
    unit: 'Marine Biology',
    people: [
      person('Prof. Ida Lund', 'Professor', 'C 101', '+47 555 02 01', 'ilund@polar.example'),
      person('Tomasz Bąk', 'Postdoc', 'C 117', '+47 555 02 17', 'tbak@polar.example'),
    ],
  },
  {
    unit: 'Atmosphere',
    people: [
      person('Dr. Kofi Mensah', 'Senior scientist', 'A 310', '+47 555 03 10', 'kmensah@polar.example'),
      person('Lea Brandt', 'Data manager', 'A 312', '+47 555 03 12', 'lbrandt@polar.example'),
      person('Sofia Rossi', 'PhD candidate', 'A 315', '+47 555 03 15', 'srossi@polar.example'),
      person('Jonas Vik', 'Engineer', 'Workshop', '+47 555 03 90', 'jvik@polar.example'),
    ],
  },
  {
    unit: 'Administration',
    people: [
      person('Anne Moe', 'Director', 'D 001', '+47 555 09 00', 'amoe@polar.example'),
      person('Per Hauge', 'Accountant', 'D 012', '+47 555 09 12', 'phauge@polar.example'),
    ],
  },
  {
    unit: 'Library',
    people: [
      person('Greta Holm', 'Librarian', 'Ground floor', '+47 555 08 01', 'gholm@polar.example'),
      person('Ali Reza', 'Archivist', 'Basement', '+47 555 08 02', 'areza@polar.example'),
      person('Nina Berg', 'Assistant', 'Ground floor', '+47 555 08 03', 'nberg@polar.example'),
    ],
  },
];

export const staffDefinitionLists = pagesOf({
  kind: 'listing',
  name: 'staff-definition-lists',
  items: ITEMS,
  url: ({ unit }) => `https://polar-institute.example/people/${slug(unit)}`,
  schema: {
    title: 'Staff',
    type: 'object',
    properties: { people: { type: 'array', items: { $ref: '#/definitions/Person' } }, department: { type: 'string' } },
    definitions: {
      Person: {
        type: 'object',
        properties: {
          full_name: { type: 'string' },
          position: { type: 'string' },
          office: { type: 'string', description: 'Room' },
          phone: { type: 'string' },
          email: { type: 'string', format: 'email' },
        },
      },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en"><head><title>People | ${item.unit} | Polar Institute</title></head><body><header><a href="/">Polar Institute</a><nav><ul><li><a href="/r">Research</a></li><li><a href="/p">People</a></li><li><a href="/n">News</a></li></ul></nav></header><main><h1>${item.unit}</h1><p>Our group works on questions large and small, in the field as well as at the desk.</p>
${each(item.people, (one) => `<section class="person"><h3>${one.name}</h3><dl><dt>Position</dt><dd>${one.role}</dd><dt>Room</dt><dd>${one.room}</dd><dt>Phone</dt><dd><a href="tel:${one.phone.replaceAll(' ', '')}">${one.phone}</a></dd><dt>E-mail</dt><dd><a href="mailto:${one.mail}">${one.mail}</a></dd></dl></section>`)}</main><footer>Polar Institute, Tromsø. Switchboard +47 555 00 00</footer></body></html>`,
  expected: (item) => ({
    people: item.people.map(({ name, role, room, phone, mail }) => ({
      full_name: name,
      position: role,
      office: room,
      phone,
      email: mail,
    })),
    department: item.unit,
  }),
});
