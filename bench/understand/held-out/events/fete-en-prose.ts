// A French village announces its events in sentences.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    titre: 'Bal des pompiers',
    jour: 'samedi 14 mars 2026',
    heure: '20 h 30',
    debut: '2026-03-14T20:30',
    lieu: 'salle des fêtes',
    prix: '8 euros',
    nombre: 8,
    tel: '05 00 00 11 22',
  },
  {
    titre: 'Vide-grenier du printemps',
    jour: 'dimanche 19 avril 2026',
    heure: '8 h',
    debut: '2026-04-19T08:00',
    lieu: 'place du Marché',
    prix: '2 euros',
    nombre: 2,
    tel: '05 00 00 33 44',
  },
  {
    titre: 'Concert de la chorale',
    jour: 'vendredi 22 mai 2026',
    heure: '19 h 45',
    debut: '2026-05-22T19:45',
    lieu: 'église Saint-Martin',
    prix: '12,50 euros',
    nombre: 12.5,
    tel: '05 00 00 55 66',
  },
  {
    titre: 'Nuit des étoiles',
    jour: 'mercredi 12 août 2026',
    heure: '21 h',
    debut: '2026-08-12T21:00',
    lieu: 'stade municipal',
    prix: '5 euros',
    nombre: 5,
    tel: '05 00 00 77 88',
  },
  {
    titre: 'Marché de Noël',
    jour: 'samedi 5 décembre 2026',
    heure: '10 h',
    debut: '2026-12-05T10:00',
    lieu: 'cour de la mairie',
    prix: '3 euros',
    nombre: 3,
    tel: '05 00 00 99 00',
  },
];

export const feteEnProse = pagesOf({
  kind: 'event',
  name: 'fete-en-prose',
  items: ITEMS,
  url: ({ titre }) => `https://mairie-valbrune.example/actualites/${slug(titre)}`,
  schema: {
    type: 'object',
    properties: {
      titre: { type: 'string' },
      date_debut: { type: 'string', format: 'date-time' },
      lieu: { type: 'string' },
      tarif: { type: 'number', description: 'Prix de l’entrée en euros' },
      telephone: { type: 'string' },
      publie_le: { type: 'string', format: 'date', description: 'Date de publication de l’annonce' },
    },
    required: ['titre'],
  },
  html: (
    item,
  ) => `<!DOCTYPE html><html lang="fr"><head><title>${item.titre} | Mairie de Valbrune</title></head><body><div id="haut"><a href="/">Mairie de Valbrune</a> <a href="/conseil">Conseil municipal</a> <a href="/ecole">École</a></div>
<div id="page"><h1>${item.titre}</h1><p class="publie">Publié le 06/02/2026</p><p>Comme chaque année, le comité des fêtes vous attend nombreux. Le rendez-vous est fixé au ${item.jour} à ${item.heure}, ${item.lieu}. L’entrée est à ${item.prix}, gratuite pour les moins de douze ans.</p><p>Une buvette sera tenue par les parents d’élèves. En cas de pluie, la fête est maintenue.</p><p>Renseignements au ${item.tel}, ou directement en mairie aux heures d’ouverture (9 h - 12 h).</p></div><div id="bas">Mairie de Valbrune, 1 place de l’Église. Tél. 05 00 00 00 00</div></body></html>`,
  expected: (item) => ({
    titre: item.titre,
    date_debut: item.debut,
    lieu: item.lieu,
    tarif: item.nombre,
    telephone: item.tel,
    publie_le: anyOf('2026-02-06'),
  }),
});
