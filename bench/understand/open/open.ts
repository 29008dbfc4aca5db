// The open half of the labelled corpus: pages to look at while the extractor is written.
import { bareByline } from './articles/bare-byline.ts';
import { blogEnEspanol } from './articles/blog-en-espanol.ts';
import { forumThread } from './articles/forum-thread.ts';
import { giornaleLocale } from './articles/giornale-locale.ts';
import { metaOnlyMagazin } from './articles/meta-only-magazin.ts';
import { newspaperGraph } from './articles/newspaper-graph.ts';
import { newsroomDivByline } from './articles/newsroom-div-byline.ts';
import { agendaMunicipal } from './events/agenda-municipal.ts';
import { concertJsonLd } from './events/concert-json-ld.ts';
import { gigPoster } from './events/gig-poster.ts';
import { tribeCalendar } from './events/tribe-calendar.ts';
import { vereinTermin } from './events/verein-termin.ts';
import { amtlicheTabelle } from './listings/amtliche-tabelle.ts';
import { cardGrid } from './listings/card-grid.ts';
import { homesItemList } from './listings/homes-item-list.ts';
import { hotelResults } from './listings/hotel-results.ts';
import { immobilienKarten } from './listings/immobilien-karten.ts';
import { jobBoardCards } from './listings/job-board-cards.ts';
import { pressReleases } from './listings/press-releases.ts';
import { stellenTabelle } from './listings/stellen-tabelle.ts';
import { foodBlogJsonLd } from './recipes/food-blog-json-ld.ts';
import { omaTabelle } from './recipes/oma-tabelle.ts';
import { recetteMicrodata } from './recipes/recette-microdata.ts';
import { villageCookbook } from './recipes/village-cookbook.ts';
import { wprmCard } from './recipes/wprm-card.ts';
import { boutiqueMicrodata } from './shops/boutique-microdata.ts';
import { graphShop } from './shops/graph-shop.ts';
import { kaputtesJsonShop } from './shops/kaputtes-json-shop.ts';
import { kleinanzeigeAuto } from './shops/kleinanzeige-auto.ts';
import { nihonNextShop } from './shops/nihon-next-shop.ts';
import { potteryProse } from './shops/pottery-prose.ts';
import { specTableStore } from './shops/spec-table-store.ts';
import { utilityClassStore } from './shops/utility-class-store.ts';
import { wooBlockShop } from './shops/woo-block-shop.ts';

export const openPages = [
  ...[
    boutiqueMicrodata,
    graphShop,
    kaputtesJsonShop,
    kleinanzeigeAuto,
    nihonNextShop,
    potteryProse,
    specTableStore,
    utilityClassStore,
    wooBlockShop,
  ],
  ...[bareByline, blogEnEspanol, forumThread, giornaleLocale, metaOnlyMagazin, newspaperGraph, newsroomDivByline],
  ...[agendaMunicipal, concertJsonLd, gigPoster, tribeCalendar, vereinTermin],
  ...[foodBlogJsonLd, omaTabelle, recetteMicrodata, villageCookbook, wprmCard],
  ...[
    amtlicheTabelle,
    cardGrid,
    homesItemList,
    hotelResults,
    immobilienKarten,
    jobBoardCards,
    pressReleases,
    stellenTabelle,
  ],
].flat();
