// A Russian portal with microdata on the article and comments that are microdata too.
import { pagesOf } from '../../labelled-page.ts';

const ITEMS = [
  {
    id: 41210,
    title: 'В городе открыли музей почты',
    author: 'Анна Громова',
    iso: '2026-03-02T10:15:00+03:00',
    shown: '2 марта 2026, 10:15',
    rubric: 'Культура',
    views: '12 430',
  },
  {
    id: 41377,
    title: 'Учёные нашли новый вид лишайника',
    author: 'Илья Седов',
    iso: '2025-11-27T18:40:00+03:00',
    shown: '27 ноября 2025, 18:40',
    rubric: 'Наука',
    views: '3 019',
  },
  {
    id: 40098,
    title: 'Мост через Оку закроют на ремонт',
    author: 'Марина Левина',
    iso: '2025-07-14T07:05:00+03:00',
    shown: '14 июля 2025, 07:05',
    rubric: 'Транспорт',
    views: '48 776',
  },
  {
    id: 41502,
    title: 'Сборная по шахматам выиграла турнир',
    author: 'Тимур Ахметов',
    iso: '2026-01-19T22:30:00+03:00',
    shown: '19 января 2026, 22:30',
    rubric: 'Спорт',
    views: '950',
  },
  {
    id: 41555,
    title: 'Как вырастить томаты на балконе',
    author: 'Анна Громова',
    iso: '2026-04-05T12:00:00+03:00',
    shown: '5 апреля 2026, 12:00',
    rubric: 'Дом',
    views: '7 801',
  },
];

export const russianMicrodata = pagesOf({
  kind: 'article',
  name: 'russian-microdata',
  items: ITEMS,
  url: ({ id }) => `https://vestnik-goroda.example/news/${id}/`,
  schema: {
    type: 'object',
    properties: {
      headline: { type: 'string' },
      author: { type: 'string' },
      datePublished: { type: 'string', format: 'date-time' },
      rubric: { type: 'string', description: 'рубрика' },
      views: { type: 'integer', description: 'Сколько раз прочитали (просмотры)' },
    },
    required: ['headline'],
  },
  html: (
    item,
  ) => `<!DOCTYPE html><html lang="ru"><head><meta charset="utf-8"><title>${item.title} — Вестник города</title></head><body><div class="top"><a href="/">Вестник города</a> <a href="/news">Новости</a> <a href="/afisha">Афиша</a></div>
<div itemscope itemtype="http://schema.org/NewsArticle"><a class="rubric" href="/r" itemprop="articleSection">${item.rubric}</a><h1 itemprop="headline">${item.title}</h1><p><time itemprop="datePublished" datetime="${item.iso}">${item.shown}</time>, <span itemprop="author" itemscope itemtype="http://schema.org/Person"><span itemprop="name">${item.author}</span></span></p>
<div itemprop="articleBody"><p>Об этом рассказали в пресс-службе администрации. По словам собеседника редакции, работы заняли почти два года, и всё это время жители следили за ними с интересом.</p><p>Подробности будут объявлены позже. Напомним, что в прошлом году подобная новость вызвала много споров.</p></div><p>Просмотры: ${item.views}</p></div>
<div class="comments"><div itemscope itemtype="http://schema.org/Comment"><span itemprop="author">Гость</span> <time itemprop="dateCreated" datetime="2026-05-01T00:00:00+03:00">1 мая</time><p itemprop="text">Наконец-то!</p></div></div></body></html>`,
  expected: (item) => ({
    headline: item.title,
    author: item.author,
    datePublished: item.iso,
    rubric: item.rubric,
    views: Number(item.views.replace(/\s/g, '')),
  }),
});
