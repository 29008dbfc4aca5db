// An old-fashioned news wire: layout tables, a dateline inside the first paragraph, no classes that mean anything.
import { anyOf, pagesOf } from '../../labelled-page.ts';

const ITEMS = [
  {
    no: 118,
    title: 'Ferry service to the islands resumes',
    city: 'LISBON',
    date: 'March 3, 2026',
    iso: '2026-03-03',
    by: 'TERESA VALE',
    agency: 'Coastal Press',
    text: 'Ferries to the outer islands are running again after a strike of nine days.',
  },
  {
    no: 204,
    title: 'Glacier survey finds fastest retreat on record',
    city: 'GENEVA',
    date: 'September 12, 2025',
    iso: '2025-09-12',
    by: 'MARC OLIVIER',
    agency: 'Alpine Wire',
    text: 'The three largest glaciers lost a combined 140 metres in a single year.',
  },
  {
    no: 233,
    title: 'Orchestra elects its first woman conductor',
    city: 'OSLO',
    date: 'December 30, 2025',
    iso: '2025-12-30',
    by: 'SIRI HOLM',
    agency: 'Nordic Report',
    text: 'The musicians voted in secret, as they have since 1919.',
  },
  {
    no: 301,
    title: 'Drought ends water talks early',
    city: 'AMMAN',
    date: 'January 21, 2026',
    iso: '2026-01-21',
    by: 'LEILA NASSER',
    agency: 'Coastal Press',
    text: 'Delegates left two days before the planned end of the conference.',
  },
  {
    no: 350,
    title: 'Chess prodigy, 11, beats grandmaster',
    city: 'CHENNAI',
    date: 'February 8, 2026',
    iso: '2026-02-08',
    by: 'ARJUN PILLAI',
    agency: 'South Desk',
    text: 'The game lasted 71 moves and ended in a rook ending that nobody in the hall expected her to win.',
  },
];

const nameCase = (name: string): string =>
  name.replace(/(\p{L})(\p{L}*)/gu, (_, first: string, rest: string) => first + rest.toLowerCase());

export const datelineWire = pagesOf({
  kind: 'article',
  name: 'dateline-wire',
  items: ITEMS,
  url: ({ no }) => `http://wirearchive.example/story.asp?id=${no}`,
  schema: {
    type: 'object',
    properties: {
      headline: { type: 'string' },
      byline: { type: 'string', description: 'Who wrote it (name only)' },
      agency: { type: 'string', description: 'News agency' },
      place: { type: 'string', description: 'City the report was filed from' },
      date: { type: 'string', format: 'date', description: 'Publication date' },
      correction: { type: 'string', description: 'Text of a correction, if there is one' },
    },
    required: ['headline', 'date'],
  },
  html: (
    item,
  ) => `<HTML lang=en><HEAD><TITLE>Wire Archive</TITLE></HEAD><BODY BGCOLOR=white><TABLE BORDER=0 WIDTH=760><TR><TD COLSPAN=2><FONT FACE=arial SIZE=1><A HREF="/">Home</A> | <A HREF="/search.asp">Search</A> | Updated daily | June 1, 2001 - today</FONT></TD></TR><TR><TD VALIGN=top WIDTH=120><A HREF="/world.asp">World</A><BR><A HREF="/sports.asp">Sports</A></TD><TD>
<FONT SIZE=5><B>${item.title}</B></FONT><BR><BR><FONT SIZE=2>By ${item.by}<BR>${item.agency}</FONT><P>${item.city}, ${item.date} &#8212; ${item.text}<P>Officials declined to say what would happen next. A spokesman said that a statement would be made in due course, and asked for patience.<P>The matter is likely to be raised again when the committee meets in the summer.
<P><FONT SIZE=1>Story no. ${item.no}. All rights reserved.</FONT></TD></TR></TABLE></BODY></HTML>`,
  expected: (item) => ({
    headline: item.title,
    byline: anyOf(item.by, nameCase(item.by)),
    agency: item.agency,
    place: anyOf(item.city, nameCase(item.city)),
    date: item.iso,
    correction: null,
  }),
});
